"""Experiments: what is to be played, kept and looked up again.

`specs` says what one game or one search is, `store` keeps results on disk, `runner` plays what
is missing. `designs`, `horizons`, `enhancements` and `league` say what each notebook asks for,
`catalogue` lists them by name, `profiles` knows their sizes, `results` turns games into scores.
Nothing here draws.
"""
