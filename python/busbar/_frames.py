# SPDX-License-Identifier: Apache-2.0
"""Data frames of records."""

from __future__ import annotations

import difflib
import itertools
from typing import Any, Iterable, Iterator, Optional

import pandas as pd

from . import _columns as cols
from ._columns import Column
from ._journal import Files, Line, RecordError, Run, read_journal, record_files


def read(files: Files, more: Iterable[str] = ()) -> pd.DataFrame:
    """Reads records into a frame with one row per case and launch.

    `files`: a path, a folder (all *.jsonl in it), a pattern as "results/*.jsonl", or a list of these.
    `more`: further values of the record as columns, by the names in `columns()`: ["arrival.skew_s", "run.mpi.library"].

    Columns with a place in `columns().csv` are those of `busbar export --format csv`. `frame.attrs` has "units" and
    "meanings" of columns, and "notes": what to know about the files, such as a run that was cut off.

    Raises FileNotFoundError if nothing is there, RecordError (with file and line) if a file is no record, and KeyError
    for an unknown name in `more`.
    """
    asked = [_named(name) for name in ([more] if isinstance(more, str) else more)]
    of_case = cols.USUAL[len(cols.RUN):] + [column for column in asked if column not in cols.USUAL]
    frame = _Frame(cols.RUN + of_case)
    for run, case, head in frame.cases_of(files):
        frame.rows.append(head + [_cell(column, run, case) for column in of_case])
    return frame.build()


def read_rounds(files: Files) -> pd.DataFrame:
    """Reads records into a frame with one row per round of each case; `round` counts from 1.

    A record without rounds gives no rows. `at_s` counts from `start_utc`, the start of the launch.
    """
    number = Column("round", "round", (), "integer", "Number of the round, from 1.", needed=True)
    return _read_rows(files, "rounds", "round", [number])


def read_ranks(files: Files) -> pd.DataFrame:
    """Reads records into a frame with one row per rank of each case: the times of that rank."""
    return _read_rows(files, "ranks", "rank_summary")


def read_samples(files: Files) -> pd.DataFrame:
    """Reads records into a frame with one row per kept sample of each case (`sample_s`), with its round from 1.

    A record may have kept only some: `samples_taken` of `read` says how many there were.
    """
    columns = [
        Column("round", "sample", (), "integer", "Number of the round, from 1; missing if the record has no rounds."),
        Column("sample", "sample", (), "integer", "Number of the kept sample of the case, from 1.", needed=True),
        Column("sample_s", "sample", ("samples_s",), "number", "Time of one call by the slowest rank, in seconds.", needed=True),
    ]
    frame = _Frame(cols.RUN + cols.CASE + cols.KEY + columns)
    for run, case, head in frame.cases_of(files):
        head = head + [_cell(column, run, case) for column in cols.CASE + cols.KEY]
        samples = _list(run, case, "samples_s")
        rounds = _rounds_of_samples(run, case)
        for number, (sample, of_round) in enumerate(zip(samples, itertools.chain(rounds, itertools.repeat(None))), 1):
            frame.rows.append(head + [of_round, number, _checked(columns[-1], {"samples_s": sample}, run, case.number)])
    return frame.build()


def columns() -> pd.DataFrame:
    """All columns that `read` can make. `usual`: it makes them without being asked; `csv`: place in the CSV export."""
    named = cols.NAMED.values()
    return pd.DataFrame({
        "name": [column.name for column in named],
        "unit": pd.Series([column.unit for column in named], dtype=object),
        "type": [column.type for column in named],
        "usual": [column in cols.USUAL for column in named],
        "csv": pd.array([column.csv or None for column in named], dtype="Int64"),
        "meaning": [column.meaning for column in named],
    })


def _named(name: str) -> Column:
    if name in cols.NAMED:
        return cols.NAMED[name]
    near = difflib.get_close_matches(name, cols.NAMED, n=3, cutoff=0.5)
    raise KeyError(f"more: no column '{name}'; " + (f"near: {', '.join(near)}" if near else "busbar.columns() lists them"))


def _read_rows(files: Files, key: str, line: str, numbered: Iterable[Column] = ()) -> pd.DataFrame:
    """A frame with a row for each element of list `key` of each case, after an element's number if that has a column."""
    of_case, of_row = cols.CASE + cols.KEY, cols.ROWS[line]
    frame = _Frame(cols.RUN + of_case + [*numbered, *of_row])
    for run, case, head in frame.cases_of(files):
        head = head + [_cell(column, run, case) for column in of_case]
        for number, row in enumerate(_objects(run, case, key), 1):
            cells = [_checked(column, row, run, case.number) for column in of_row]
            frame.rows.append(head + [number for _ in numbered] + cells)
    return frame.build()


def _list(run: Run, case: Line, key: str) -> list[Any]:
    value = case.get(key)
    if value is not None and not isinstance(value, list):
        raise RecordError(f"{_place(run, case.number)}: {key} is no list")
    return value or []


def _objects(run: Run, case: Line, key: str) -> list[dict]:
    rows = _list(run, case, key)
    if not all(isinstance(row, dict) for row in rows):
        raise RecordError(f"{_place(run, case.number)}: {key} is no list of objects")
    return rows


def _rounds_of_samples(run: Run, case: Line) -> Iterator[int]:
    """For each kept sample the number of its round."""
    kept = cols.Column("kept", "round", ("kept",), "integer", "", needed=True)
    for number, row in enumerate(_objects(run, case, "rounds"), 1):
        yield from itertools.repeat(number, _checked(kept, row, run, case.number))


def _checked(column: Column, line: Optional[dict], run: Run, number: int) -> Any:
    try:
        return cols.cell(column, line)
    except cols.WrongValue as why:
        raise RecordError(f"{_place(run, number)}: {why}") from None


def _place(run: Run, number: int) -> str:
    return f"{run.path}:{number}" if number else f"{run.path}.unfinished"


def _cell(column: Column, run: Run, case: Line) -> Any:
    """The cell of a column, in whichever line of the run it is."""
    line = {"case": case, "run": run.run, "launch": run.launch, "end": run.end}[column.line]
    return _checked(column, line, run, line.number if line is not None else 0)


def _head(run: Run, launch: int) -> list[Any]:
    """Cells of the run. Those of a case that a resumed launch measured have that launch's start and hosts."""
    lines = {"run": run.resumed[launch - 1] if launch else run.run, "launch": run.launch, "end": run.end}
    cells: list[Any] = []
    for column in cols.RUN:
        line = run.run if column.name == "run_id" else lines[column.line]
        cells.append(run.path if column is cols.FILE else
                     None if line is None else _checked(column, line, run, line.number))
    return cells


class _Frame:
    """Rows of a frame, and what is noted while files are read."""

    def __init__(self, columns: list[Column]):
        self.columns = columns
        self.rows: list[list[Any]] = []
        self.notes: list[str] = []

    def cases_of(self, files: Files) -> Iterator[tuple[Run, Line, list[Any]]]:
        """Each run and case of the files with the cells of the run; one file at a time is in memory."""
        for path in record_files(files):
            for run in read_journal(path):
                self.notes += [f"{run.path}: {note}" for note in run.notes]
                heads = [_head(run, launch) for launch in range(len(run.resumed) + 1)]
                for case in run.cases:
                    yield run, case, heads[case.launch]

    def build(self) -> pd.DataFrame:
        data: dict[str, pd.Series] = {}
        units: dict[str, str] = {}
        meanings: dict[str, str] = {}
        values = zip(*self.rows) if self.rows else itertools.repeat(())
        for column, cells in zip(self.columns, values):
            for name, series in _series(column, cells):
                data[name], meanings[name] = series, column.meaning
                if column.unit:
                    units[name] = column.unit
        frame = pd.DataFrame(data)
        frame.attrs = {"units": units, "meanings": meanings, "notes": self.notes}
        return frame


def _series(column: Column, cells: Iterable[Any]) -> Iterator[tuple[str, pd.Series]]:
    """The column with its name; of a map, one for each of its keys."""
    if column.type == "map":
        for key in sorted({key for cell in cells for key in cell}):
            yield f"{column.name}.{key}", pd.Series([cell.get(key) for cell in cells], dtype=object).infer_objects()
    elif column.type == "time":
        yield column.name, pd.Series(pd.to_datetime(list(cells), utc=True, format="%Y-%m-%dT%H:%M:%SZ"))
    else:
        yield column.name, pd.Series(list(cells), dtype=_dtype(column))


def _dtype(column: Column) -> str:
    if column.type == "integer" and column.needed and column.line not in ("launch", "end"):  # these lines may be missing
        return "int64"
    return {"boolean": "boolean", "integer": "Int64", "length": "Int64", "number": "float64"}.get(column.type, "object")
