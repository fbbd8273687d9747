"""Experiments: what is to be played, kept and looked up again.

`specs` says what one game or one search is, `store` keeps results on disk, `runner` plays what
is missing, `designs` lists what each notebook asks for, `profiles` its sizes, `results` turns
games into scores. Nothing here draws.
"""
