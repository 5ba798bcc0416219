# SPDX-License-Identifier: Apache-2.0
"""Files of records: which are named, and how their lines make runs. Follows docs/records.md, as core/journal does."""

from __future__ import annotations

import dataclasses
import errno
import glob
import json
import os
import pathlib
from typing import Any, Iterable, Iterator, Optional, Union

try:
    import fcntl
except ImportError:  # Windows has no such locks: no record is known to be in use
    fcntl = None

SCHEMA = 1  # the newest version of the format that is read

Files = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


class RecordError(ValueError):
    """A file is no record of busbar, is damaged, or was written by a newer busbar. Names file and line."""


class Line(dict):
    """A line of a record, and where it is from."""

    number = 0  # of the line in the file, from 1; 0: of the file beside it
    launch = 0  # of a case. 0: the first launch of the record; else 1 + place in Run.resumed


@dataclasses.dataclass
class Run:
    """One launch: lines of a record as they are in the file. Cases are in the order of the plan."""

    path: str
    run: Line
    cases: list[Line]
    end: Optional[Line] = None  # None: the launch was ended before its plan was done, or is still running
    launch: Optional[Line] = None  # line of `busbar repeat` in front of the launch
    resumed: list[Line] = dataclasses.field(default_factory=list)  # run lines of later launches (--resume)
    notes: list[str] = dataclasses.field(default_factory=list)  # what readers should know, as `busbar show` says it


class _NotJson(Exception):
    """A line is no JSON, or lacks a key of every record."""


def record_files(files: Files) -> list[pathlib.Path]:
    """Paths, folders (all *.jsonl in them, sorted by name) and patterns, each file once. Raises FileNotFoundError."""
    names = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    found: dict[str, pathlib.Path] = {}
    for name in names:
        for path in _matches(os.path.expanduser(os.fspath(name))):
            found.setdefault(os.path.realpath(path), path)
    return list(found.values())


def _matches(name: str) -> list[pathlib.Path]:
    if os.path.isdir(name):
        inside = sorted(path for path in pathlib.Path(name).iterdir() if path.suffix == ".jsonl")
        if not inside:
            raise FileNotFoundError(errno.ENOENT, "no record (*.jsonl) in this folder", name)
        return inside
    if os.path.exists(name) or not glob.has_magic(name):
        return [pathlib.Path(name)]
    matching = sorted(path for path in glob.glob(name, recursive=True) if not os.path.isdir(path))
    if not matching:
        raise FileNotFoundError(errno.ENOENT, "no file matches this pattern", name)
    return [pathlib.Path(path) for path in matching]


def load(files: Files) -> list[Run]:
    """Reads records as they are: a Run for each launch, with the lines as dicts. Described in docs/records.md.

    Raises FileNotFoundError if nothing is there, and RecordError if a file is no record.
    """
    return [run for path in record_files(files) for run in read_journal(path)]


def read_journal(path: pathlib.Path) -> list[Run]:
    """Launches of one file, including unfinished cases in FILE.unfinished beside it."""
    being_written = _is_being_written(path)
    beside = _read_beside(path)  # first: a case that ends meanwhile is in both
    runs = _Reader(path, being_written).read()
    for number, run in enumerate(runs):
        left = _lacking(run, beside) if beside and number == 0 and not run.launch else []
        for case in left:
            _replace(run, case)
        run.cases.sort(key=lambda case: case["index"])
        _add_notes(run, being_written and not run.launch, len(left))
    return runs


def _is_being_written(path: pathlib.Path) -> bool:
    """Whether a run holds its lock on the file."""
    if fcntl is None or not path.is_file():
        return False
    with open(path, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:  # a file system without locks
            return False
    return False


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _parse(line: bytes, number: int) -> Line:
    try:
        record = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as why:
        raise _NotJson(str(why) or "it is nested too deeply") from None
    if not isinstance(record, dict) or not isinstance(record.get("record"), str):
        raise _NotJson('it is no JSON object with a text "record"')
    parsed = Line(record)
    parsed.number = number
    return parsed


def _integer(record: Line, key: str) -> int:
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _NotJson(f'"{key}" is no whole number')
    return value


class _Reader:
    """Reads a record line by line."""

    def __init__(self, path: pathlib.Path, being_written: bool):
        self.path, self.being_written = path, being_written
        self.number = 0
        self.runs: list[Run] = []
        self.run: Optional[Run] = None
        self.launch: Optional[Line] = None
        self.earlier: dict[int, int] = {}  # cases of the previous launches: index -> place in run.cases

    def read(self) -> list[Run]:
        for line, whole in self._lines():
            try:
                self._add(_parse(line, self.number))
            except _NotJson as why:
                self._refuse(line, whole, why)
                break
        if self.number == 0:
            self._refuse_empty()
        self._keep()
        return self.runs

    def _lines(self) -> Iterator[tuple[bytes, bool]]:
        with open(self.path, "rb") as file:
            for self.number, line in enumerate(file, 1):
                yield line, line.endswith(b"\n")

    def _error(self, text: str) -> RecordError:
        return RecordError(f"{self.path}:{self.number}: {text}")

    def _refuse_empty(self) -> None:
        if self.being_written:
            raise RecordError(f"{self.path}: has no record yet, the run is still writing it")
        raise RecordError(f"{self.path}: is empty; a busbar record starts with a run line")

    def _refuse(self, line: bytes, whole: bool, why: Exception) -> None:
        """Raises RecordError, unless the line was cut off or is being written."""
        if self.number == 1 and self.being_written and not whole:
            self._refuse_empty()
        if self.number == 1 and not line.startswith(b"{"):
            shown = ascii(line[:40].decode("utf-8", "replace").rstrip())
            raise self._error(f"not a busbar record: it begins with {shown}; busbar import reads logs of other tools") from None
        if self.number == 1 or (whole and not self.being_written):
            raise self._error(f"not a busbar record: {why}") from None
        if self.run:
            self.run.notes.append(f"line {self.number} was being written when it was read" if self.being_written else
                                  f"line {self.number} is cut off: the run was ended while it was written")

    def _add(self, record: Line) -> None:
        kind = record["record"]
        if kind == "launch":
            return self._begin_launch(record)
        if self.run is None and kind != "run":
            raise self._error("the first record is not a run")
        if kind == "run":
            self._add_run(record)
        elif kind == "case":
            self._add_case(record)
        elif kind == "end":
            self.run.end = record
        else:
            raise self._error(f"unknown record '{kind}'; known: launch, run, case, end")

    def _begin_launch(self, record: Line) -> None:
        if self.number > 1 and self.launch is None:
            raise self._error("a launch record behind one of another kind")
        self._keep()
        self.launch = record

    def _keep(self) -> None:
        """Keeps the launch that was read, unless it is empty."""
        if self.run:
            self.runs.append(self.run)
        self.run, self.earlier = None, {}

    def _add_run(self, record: Line) -> None:
        schema = _integer(record, "schema")
        if schema > SCHEMA:
            raise self._error(f"written with schema {schema}, newer than {SCHEMA}, the newest that this package reads: use a newer one")
        if self.run is None:
            self.run = Run(str(self.path), record, [], launch=self.launch)
        elif record.get("resumes") != self.run.run.get("id"):
            raise self._error("a second run record, and not of a launch that resumed the first one's")
        else:
            self.run.resumed.append(record)
            self.run.end = None  # that of the previous launch; this one has its own
            self.earlier = {case["index"]: place for place, case in enumerate(self.run.cases)}

    def _add_case(self, record: Line) -> None:
        """Adds a case, or replaces the same case of an earlier launch."""
        record.launch = len(self.run.resumed)
        earlier = self.earlier.pop(_integer(record, "index"), None)
        if earlier is None:
            self.run.cases.append(record)
        else:
            self.run.cases[earlier] = record


def _read_beside(path: pathlib.Path) -> Optional[Run]:
    """Unfinished cases beside a record, as a run; None if there are none that can be read."""
    beside = pathlib.Path(os.path.realpath(path) + ".unfinished")
    try:
        runs = _Reader(beside, True).read() if beside.is_file() else []
    except (OSError, RecordError):
        return None
    return runs[0] if runs else None


def _lacking(run: Run, beside: Run) -> list[Line]:
    """Unfinished cases that the run's last launch lacks. Those of another launch do not count."""
    last = run.resumed[-1] if run.resumed else run.run
    if beside.run.get("id") != last.get("id"):
        return []
    here = {case["index"] for case in run.cases if case.launch == len(run.resumed)}
    return [case for case in beside.cases if case["index"] not in here]


def _replace(run: Run, case: Line) -> None:
    case.launch, case.number = len(run.resumed), 0
    run.cases = [other for other in run.cases if other["index"] != case["index"]] + [case]


def _cases(number: int) -> str:
    return "1 case" if number == 1 else f"{number} cases"


def _add_notes(run: Run, being_written: bool, beside: int) -> None:
    for number, head in enumerate(run.resumed, 1):
        count = sum(case.launch == number for case in run.cases)
        when = head.get("start_utc") or "at an unknown time"
        run.notes.append(f"{count} of {_cases(len(run.cases))} measured when the run was resumed, {when}")
    if being_written and not run.end:
        run.notes.append("the run is still writing it")
    elif not run.end:
        run.notes.append("no end record: the run ended before all cases were measured")
    if beside and not being_written:
        run.notes.append(f"{_cases(beside)} that had not ended: in {os.path.basename(os.path.realpath(run.path))}.unfinished, which belongs to it")
