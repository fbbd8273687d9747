"""Compiled code is kept on disk, and never outlives the sources it came from.

Numba looks only at the file of the function it has cached: a change in a function or constant
of another file goes unnoticed. So the cache lies in a folder named by a hash of all kernel
sources and of Numba's settings. `use` must run before the first kernel module is imported.
"""

import hashlib
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numba

PACKAGE = Path(__file__).parent
KERNEL_FOLDERS = ("engine", "search")  # every compiled function lives in one of these
UNUSED_SECONDS = 30 * 24 * 3600  # longer than any run: a process marks its folder when it starts


def kernel_sources() -> list[Path]:
    return sorted(path for folder in KERNEL_FOLDERS for path in (PACKAGE / folder).rglob("*.py"))


def fingerprint() -> str:
    """Hash of what compiled code depends on and Numba's own cache key leaves out."""
    digest = hashlib.sha256()
    for path in kernel_sources():
        digest.update(f"{path.relative_to(PACKAGE)}\0".encode())
        digest.update(path.read_bytes())
    for name in sorted(os.environ):
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            digest.update(f"{name}={os.environ[name]}\0".encode())
    return digest.hexdigest()[:16]


def use() -> Path:
    """Point Numba to the cache folder of the sources as they are now, and return it.

    The folder lies in NUMBA_CACHE_DIR if that is set, else beside the package's own bytecode,
    else (a package installed read-only) in the system's temporary folder.
    """
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or PACKAGE / "__pycache__")
    folder = base / f"kernels-{fingerprint()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / "heroacademy" / folder.name
        folder.mkdir(parents=True, exist_ok=True)
    _remove_unused(folder)
    numba.config.CACHE_DIR = str(folder)
    return folder


def _remove_unused(current: Path) -> None:
    """Mark a folder as used today; remove those beside it that were not used for long."""
    with suppress(OSError):  # a read-only cache, or another process is removing the same folder
        os.utime(current)
        for folder in current.parent.glob("kernels-*"):
            if time.time() - folder.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
