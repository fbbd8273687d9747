"""Results on disk: CSV files that only ever grow, one complete line at a time.

Every line ends with a checksum of itself. A line that a crash or a full disk cut short is
reported and left out when the file is read, and cut off before the next line is written.
Locks keep runs at the same time out of each other's way.
"""

from __future__ import annotations

import csv
import fcntl
import io
import os
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heroacademy.experiments.specs import Row

KEY, CHECK = "key", "check"  # the first and the last column


class DamagedLine(UserWarning):
    """A line of a results file that is not what was written."""


def _line(values: list[str]) -> bytes:
    """A CSV line with its checksum."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(values)
    body = text.getvalue().encode()
    return body + b",%08x\n" % zlib.crc32(body)


def _is_whole(line: bytes) -> bool:
    body, _, check = line.rpartition(b",")
    return check == b"%08x" % zlib.crc32(body)


def read_rows(path: Path) -> list[Row]:
    """All undamaged rows of a file; a damaged line is reported and left out."""
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)  # else a line that is being written looks damaged
        lines = file.read().split(b"\n")
    unfinished = lines.pop()
    rows = []
    header = _columns(path, lines[0]) if lines else []
    for number, line in enumerate(lines[1:], 2):
        if _is_whole(line):
            values = next(csv.reader([line.decode()]))
            rows.append(dict(zip(header, values[:-1], strict=True)))
        else:
            _report(path, number, "delete it to be rid of this warning")
    if unfinished:
        _report(path, len(lines) + 1, "the next result overwrites it")
    return rows


def _columns(path: Path, header: bytes) -> list[str]:
    """The names of the columns, from a file's first line."""
    names = header.decode(errors="replace").split(",")
    if names[0] != KEY or names[-1] != CHECK:
        raise ValueError(
            f"{path} starts with {names[0]!r}, a results file with {KEY!r}: restore its first line "
            "or delete the file"
        )
    return names[:-1]


def _report(path: Path, number: int, remedy: str) -> None:
    warnings.warn(
        f"{path}, line {number} is damaged and left out, as if it had not been played; {remedy}",
        DamagedLine,
        stacklevel=3,
    )


@contextmanager
def _locked(path: Path) -> Iterator[io.FileIO]:
    """A file opened without a buffer, for this process alone."""
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def append_row(path: Path, row: Row) -> None:
    """Write a row as one line and see it to the disk; on failure the file is as before.

    Nothing is written if another run has stored the same result in the meantime.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path) as file:
            _append(file, row)
    except OSError as error:
        raise OSError(
            error.errno,
            f"{error.strerror}: a result could not be stored, all earlier ones are; make room "
            "and run again",
            str(path),
        ) from error
    except ValueError as error:
        raise ValueError(f"{path} {error}") from error


def _append(file: io.FileIO, row: Row) -> None:
    header = ",".join([*row, CHECK]).encode()
    whole, end, unfinished = file.readall().rpartition(b"\n")
    lines = whole.split(b"\n") if end else [header]
    if lines[0] != header:
        raise ValueError(f"has other columns than {', '.join(row)}: use another folder")
    if any(_is_whole(line) for line in lines if line.startswith(row[KEY].encode() + b",")):
        return
    length = len(whole + end)
    if unfinished:
        file.truncate(length)
    new = _line(list(row.values()))
    _write(file, length, new if end else header + b"\n" + new)


def _write(file: io.FileIO, length: int, lines: bytes) -> None:
    """Write lines at the end of a file of a known length, or leave it as it is."""
    try:
        file.seek(length)
        view = memoryview(lines)
        while view:
            view = view[file.write(view) :]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(length)
        raise


class Store:
    """The results in one folder, by the keys of their specs."""

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        self._rows: dict[str, Row] = {}
        self._read: set[str] = set()

    def load(self, file: str) -> None:
        """Read a file of the folder, once."""
        if file not in self._read and (self.folder / file).exists():
            self._rows |= {row[KEY]: row for row in read_rows(self.folder / file)}
        self._read.add(file)

    def load_all(self, pattern: str = "**/*.csv") -> list[Row]:
        """All rows of the folder's files that match a pattern, each key once."""
        paths = sorted(self.folder.glob(pattern))
        return list({row[KEY]: row for path in paths for row in read_rows(path)}.values())

    def get(self, key: str) -> Row | None:
        return self._rows.get(key)

    def add(self, file: str, row: Row) -> None:
        append_row(self.folder / file, row)
        self._rows[row[KEY]] = row
