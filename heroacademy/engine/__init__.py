"""The rules as compiled functions over plain arrays.

Everything in this folder may be called from compiled code; nothing here knows of agents,
drawing or text. Compiled code is cached under a hash of this folder's sources (see
`heroacademy.kernel_cache`), so a kernel must not use a module of the package outside it.
"""
