# SPDX-License-Identifier: Apache-2.0
"""Columns of the frames. columns.json describes the single values of a record; `busbar schema --format columns` writes it."""

from __future__ import annotations

import dataclasses
import json
import math
import pathlib
import re
from typing import Any, Callable, Optional


@dataclasses.dataclass(frozen=True)
class Column:
    """A column: where its values are in a record, and what they are."""

    name: str
    line: str  # launch, run, case or end; round or rank_summary: a row of a list in a case
    path: tuple[str, ...]
    type: str  # text, time, boolean, integer, number; length (of a list), texts, map: one column for each key
    meaning: str
    needed: bool = False  # a line without it is damaged
    words: tuple[str, ...] = ()  # known texts
    csv: int = 0  # its place in `busbar export --format csv`; 0: none
    made_by: Optional[Callable[[dict], Any]] = None  # of a line, where the value is no single value of the record

    @property
    def unit(self) -> Optional[str]:
        """Unit of its numbers, by the record's rules for names; None for counts, shares and ratios."""
        return unit_of(self.path) if self.path and self.type in ("number", "integer", "map") else None


UNITS = (
    (r"(^|_)samples_per_s$", "samples/s"),
    (r"flop_per_s$", "flop/s"),
    (r"flop_per_step$", "flop"),
    (r"(_s|^seconds)$", "s"),
    (r"(^|_)bytes$", "B"),
    (r"_GBps$", "GB/s"),
    (r"_Gbps$", "Gbit/s"),
    (r"^work$", "%"),
)


def unit_of(path: tuple[str, ...]) -> Optional[str]:
    """Unit that the name of a key states; that of an interval's bounds is in the interval's name."""
    key = path[-1]
    if key == "confidence":
        return None
    if key in ("low", "high") and len(path) > 1:
        key = path[-2][: -len("_interval")] if path[-2].endswith("_interval") else path[-2]
    return next((unit for pattern, unit in UNITS if re.search(pattern, key)), None)


def _read_table() -> list[Column]:
    rows = json.loads((pathlib.Path(__file__).parent / "columns.json").read_text(encoding="utf-8"))
    return [Column(**{**row, "path": tuple(row["path"]), "words": tuple(row.get("words", ()))}) for row in rows]


TABLE = _read_table()
LEAVES = {column.name: column for column in TABLE if column.line in ("launch", "run", "case", "end")}


def renamed(name: str, to: str, **changes: Any) -> Column:
    return dataclasses.replace(LEAVES[name], name=to, **changes)


def _of_hosts(key: str) -> Callable[[dict], Any]:
    def texts(run: dict) -> Optional[str]:
        hosts = run.get("hosts") or []
        if not isinstance(hosts, list) or not all(isinstance(host, dict) for host in hosts):
            raise WrongValue("hosts is no list of objects")
        found = {host[key] for host in hosts if isinstance(host.get(key), str)}
        return ", ".join(sorted(found)) or None

    return texts


def _host_column(name: str, meaning: str) -> Column:
    return Column(name, "run", ("hosts", name), "text", meaning + " Several are joined by commas.", made_by=_of_hosts(name))


FILE = Column("file", "run", (), "text", "File of the record, as it was named.")
# A run with a simulation counts as simulated, whatever its origin says.
ORIGIN = dataclasses.replace(LEAVES["origin"], made_by=lambda run: "simulated" if run.get("simulation") else run.get("origin"))
RUN = [
    FILE,
    LEAVES["run_id"],
    renamed("launch.command", "launch_command"),
    renamed("launch.number", "launch_number"),
    ORIGIN,
    LEAVES["tool"],
    renamed("run.start_utc", "start_utc", type="time"),
    renamed("end.status", "run_status"),
    renamed("run.nodes", "hosts"),
    _host_column("lab", "How scripts/lab made the hosts from a part of a machine; none if it did not."),
    _host_column("virtualisation", "bare metal, or the hypervisor of the hosts."),
    _host_column("container", "Container that the ranks ran in."),
    renamed("labels", "label"),
]
CASE = [renamed("index", "case_index", needed=True), renamed("id", "case_id")]
KEY = [column for column in TABLE if column.csv and column.line == "case" and column.path[0] == "key"]
FIGURES = [column for column in TABLE if column.csv and column.line == "case" and column.path[0] != "key"]
METHOD = [column for column in TABLE if column.csv and column.line == "run" and column.path[0] == "method"]
AFTER = [
    LEAVES["ended_by"],
    renamed("interval_of_launches_s.low", "interval_of_launches_low_s"),
    renamed("interval_of_launches_s.high", "interval_of_launches_high_s"),
    renamed("interval_of_launches_s.confidence", "interval_of_launches_confidence"),
    LEAVES["remarks"],
]
USUAL = RUN + CASE + KEY + METHOD + FIGURES + AFTER  # what busbar.read() has by itself
_taken = {(column.line, column.path) for column in USUAL}
NAMED = {column.name: column for column in USUAL + [leaf for leaf in LEAVES.values() if (leaf.line, leaf.path) not in _taken]}
ROWS = {line: [column for column in TABLE if column.line == line] for line in ("round", "rank_summary")}


class WrongValue(Exception):
    """A value is not what its column holds."""


def cell(column: Column, line: Optional[dict]) -> Any:
    """The value of a column in a line; None if it is unknown. Raises WrongValue."""
    value = None if line is None else column.made_by(line) if column.made_by else _find(column, line)
    if value is None:
        if column.needed and line is not None:
            raise WrongValue(f"{'.'.join(column.path)} is missing")
        return {} if column.type == "map" else None
    if not CHECKS[column.type](value):
        raise WrongValue(f"{'.'.join(column.path)} is {json.dumps(value)[:40]}; expected: {EXPECTED[column.type]}")
    if column.name in ("origin", "status") and value not in column.words:  # nobody knows what such figures mean
        raise WrongValue(f"unknown {column.name} '{value}'; known: {', '.join(column.words)}")
    if "unknown" in column.words and value not in column.words:  # of a later version
        return "unknown"
    return MADE.get(column.type, lambda value: value)(value)


def _find(column: Column, line: dict) -> Any:
    value: Any = line
    for key in column.path:
        if value is None:
            return None
        if not isinstance(value, dict):
            raise WrongValue(f"{'.'.join(column.path)}: {key} is not in an object")
        value = value.get(key)
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _is_time(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value) is not None


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


CHECKS: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "time": _is_time,
    "boolean": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "number": _is_number,
    "length": lambda value: isinstance(value, list),
    "texts": _is_list_of_texts,
    "map": lambda value: isinstance(value, dict) and all(isinstance(one, str) or _is_number(one) for one in value.values()),
}
EXPECTED = {"text": "a text", "time": "a time as 2026-01-31T12:00:00Z", "boolean": "true or false", "integer": "a whole number",
            "number": "a finite number", "length": "a list", "texts": "a list of texts", "map": "an object of texts or numbers"}
MADE: dict[str, Callable[[Any], Any]] = {
    "number": float,
    "length": lambda rows: len(rows) or None,  # an empty list is "none" or "not known"
    "texts": lambda texts: "; ".join(texts) or None,
}
