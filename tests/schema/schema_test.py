#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""schema_test.py BUSBAR FULL EMPTY: the schema accepts what busbar writes, says something about every field of it, and
refuses what it does not write. What `busbar schema` prints is what docs/ and python/ have, and its Python types are those of a record.
FULL is a journal with every field set, EMPTY one with every optional field empty."""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import typing

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"
VALIDATOR = HERE / "validate_records.py"
SCHEMA = json.loads((DOCS / "record.schema.json").read_text(encoding="utf-8"))
LAUNCH, RUN, CASE, END = range(4)
KINDS = ("launch", "run", "case", "end")

failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


def validate(*paths):
    return subprocess.run([sys.executable, VALIDATOR, *paths], capture_output=True, text=True, check=False)


def read(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]


def resolved(schema):
    """The schema behind references, and whether null is allowed beside it."""
    for word in ("allOf", "anyOf"):
        if word in schema and "$ref" in schema[word][0]:
            return resolved(schema[word][0])[0], word == "anyOf"
    if "$ref" in schema:
        return resolved(SCHEMA["definitions"][schema["$ref"].split("/")[-1]])
    kinds = schema.get("type", [])
    return schema, "null" in kinds or None in schema.get("enum", [])


def walk(schema, full, empty, path):
    """Every field of the schema is set in `full` and, where null is allowed, null in `empty`; each has a description."""
    schema, _ = resolved(schema)
    for key, field in schema.get("properties", {}).items():
        here = f"{path}.{key}"
        target, nullable = resolved(field)
        expect(field.get("description"), f"{here} has no description")
        expect(full.get(key) not in (None, "", [], {}), f"{here} is not set in the full journal")
        if empty is not None:
            expect(key in empty, f"{here} is not in the empty journal")
            expect((empty.get(key) is None) == nullable, f"{here} is null in the empty journal, or should be")
        inner = empty.get(key) if empty else None
        if target.get("type") == "object" and "properties" in target:
            walk(target, full.get(key) or {}, inner, here)
        if target.get("type") == "array" and "$ref" in target["items"]:
            walk(target["items"], (full.get(key) or [{}])[0], inner[0] if inner else None, here + "[0]")


def is_closed(schema, path):
    if isinstance(schema, dict):
        if "properties" in schema and path not in ("$", "$.if"):
            expect(schema.get("additionalProperties") is False, f"{path} lets unknown keys in")
        for key, part in schema.items():
            if key != "if":
                is_closed(part, f"{path}.{key}")
    if isinstance(schema, list):
        for part in schema:
            is_closed(part, f"{path}[]")


def change(*keys, value):
    def apply(record):
        for key in keys[:-1]:
            record = record[key]
        record[keys[-1]] = value

    return apply


def remove(key):
    return lambda record: record.pop(key)


# Line to change, how, and what the validator must say about it.
REFUSED = [
    (RUN, change("scheme", value=1), "'scheme' was unexpected"),
    (RUN, change("method", "warmup", value=5), "'warmup' was unexpected"),
    (RUN, change("hosts", 0, "gpus", 0, "memory", value=5), "'memory' was unexpected"),
    (RUN, change("hosts", 0, "gpus", 0, "pcie_width", value="x16"), "$.hosts[0].gpus[0].pcie_width: 'x16'"),
    (RUN, change("hosts", 0, "gpu_links", "rows", 0, 0, value="FAR"), "$.hosts[0].gpu_links"),
    (RUN, change("schema", value=2), "$.schema: 1 was expected"),
    (RUN, change("ranks", value="2"), "$.ranks: '2' is not of type 'integer'"),
    (RUN, change("ranks", value=-1), "$.ranks: -1 is less than the minimum"),
    (RUN, change("start_utc", value="31 January"), "$.start_utc: '31 January' does not match"),
    (RUN, change("origin", value="guessed"), "$.origin: 'guessed' is not one of"),
    (RUN, change("method", "cadence", value="waltz"), "$.method.cadence: 'waltz' is not one of"),
    (RUN, change("mpi", "thread_level", value=""), "$.mpi.thread_level"),
    (RUN, change("method", "stop", "confidence", value=95), "$.method.stop"),
    (RUN, change("clock", "ranks", 0, "residual_s", value=-1e-9), "$.clock"),
    (RUN, change("noise", 0, "stolen_share", value=1.5), "$.noise[0].stolen_share: 1.5 is greater than the maximum"),
    (RUN, change("environment", "HOME", value="/root"), "'HOME' does not match"),
    (RUN, change("labels", "n", value=3), "$.labels.n: 3 is not of type 'string'"),
    (RUN, change("placement", 0, "cpus", value="all"), "$.placement[0].cpus: 'all' does not match"),
    (RUN, remove("id"), "'id' is a required property"),
    (CASE, change("key", "colour", value="red"), "'colour' was unexpected"),
    (CASE, change("key", "bytes", value="1024"), "$.key.bytes: '1024' is not of type 'integer'"),
    (CASE, change("key", "bytes", value=1.5), "$.key.bytes: 1.5 is not of type 'integer'"),
    (CASE, change("key", "in_place", value=1), "$.key.in_place: 1 is not of type 'boolean'"),
    (CASE, change("time_s", value="2 us"), "$.time_s: '2 us' is not of type 'number', 'null'"),
    (CASE, change("time_s", value=float("nan")), "NaN is no JSON"),
    (CASE, change("algbw_GBps", value=float("inf")), "Infinity is no JSON"),
    (CASE, change("time_s", value=-1), "$.time_s: -1 is less than the minimum"),
    (CASE, change("samples_s", 0, value=None), "$.samples_s[0]: None is not of type 'number'"),
    (CASE, change("statistics", "median_s", value=None), "$.statistics"),
    (CASE, change("status", value="fine"), "$.status: 'fine' is not one of"),
    (CASE, change("ended_by", value="boredom"), "$.ended_by: 'boredom' is not one of"),
    (CASE, change("interval_s", "low", value=None), "$.interval_s"),
    (CASE, change("rounds", 0, "samples", value=0.5), "$.rounds[0].samples: 0.5 is not of type 'integer'"),
    (CASE, change("rounds", 0, "mode", value="low"), "'mode' was unexpected"),
    (CASE, change("calls_per_sample", value=0), "$.calls_per_sample: 0 is less than the minimum"),
    (CASE, change("telemetry", 0, "power", value=300), "'power' was unexpected"),
    (CASE, change("telemetry", 0, "clock_reasons", 0, "share", value=50), "is greater than the maximum"),
    (CASE, change("throttled", value="yes"), "$.throttled: 'yes' is not of type 'boolean', 'null'"),
    (CASE, change("remarks", 0, value=None), "$.remarks[0]: None is not of type 'string'"),
    (CASE, change("check", "state", value=None), "$.check.state: None is not one of"),
    (CASE, change("check", "first", "phase", value="later"), "$.check.first"),
    (CASE, change("record", value="sample"), "$.record: 'sample' is not one of"),
    (CASE, remove("record"), "'record' is a required property"),
    (END, change("status", value="done"), "$.status: 'done' is not one of"),
    (END, change("cases", "ok", value=True), "$.cases.ok: True is not of type 'integer'"),
    (END, change("clock", "resynchronised", value=True), "$.clock"),
    (END, change("settling", "far", value=0.5), "$.settling"),
    (END, change("exit_code", value="0"), "$.exit_code: '0' is not of type 'integer', 'null'"),
]


def refused_journals(full):
    """Text of a journal, the line that is wrong, and what the validator must say about it."""
    lines = [json.dumps(record) for record in full]
    for number, apply, reason in REFUSED:
        record = copy.deepcopy(full[number])
        apply(record)
        changed = lines[:number] + [json.dumps(record)] + lines[number + 1:]
        yield "\n".join(changed) + "\n", number + 1, reason
    launch, run, case, end = lines
    wrong = json.dumps(full[LAUNCH] | {"command": 0})
    yield f"{launch}\n{run}\n{case}\n{end}\n{wrong}\n", 5, "$.command: 0 is less than"
    yield f"{run}\n{case}\n{case[:50]}", 3, "not JSON"
    yield f"{run}\n{case}\n{end}", 3, "the line is not ended"
    yield f"{case}\n{end}\n", 1, "the first record is a run"
    yield f"{run}\n{run}\n", 2, "the first record is a run"
    yield f"{run}\n{end}\n{case}\n", 3, "a record after the end"
    yield run[:-1] + ', "id": "y"}\n', 1, "key 'id' stands twice"
    yield "", 1, "empty"


def expect_all_refused(full, folder):
    wanted = {}
    for text, line, reason in refused_journals(full):
        path = pathlib.Path(folder) / f"{len(wanted)}.jsonl"
        path.write_text(text, encoding="utf-8")
        wanted[str(path)] = (line, reason)
    result = validate(*wanted)
    expect(result.returncode == 1 and result.stderr == "", f"exit {result.returncode}, {result.stderr}")
    for path, (line, reason) in wanted.items():
        said = [row for row in result.stdout.splitlines() if row.startswith(f"{path}:")]
        expect(len(said) == 1 and said[0].startswith(f"{path}:{line}: ") and reason in said[0],
               f"wanted just line {line}, {reason}; got {said}")


def without_later_keys(schema, record):
    """As an earlier version wrote it: without the keys that are not required."""
    schema, _ = resolved(schema)
    if isinstance(record, list):
        return [without_later_keys(schema["items"], element) for element in record]
    if not isinstance(record, dict) or "properties" not in schema:
        return record
    return {key: without_later_keys(schema["properties"][key], value) for key, value in record.items()
            if key in schema["required"]}


def expect_earlier_is_valid(full, folder):
    path = pathlib.Path(folder) / "earlier.jsonl"
    earlier = [without_later_keys({"$ref": record["record"]}, record) for record in full]
    path.write_text("".join(json.dumps(r) + "\n" for r in earlier), encoding="utf-8")
    result = validate(path)
    expect(result.returncode == 0, f"a journal without later keys is refused: {result.stdout}")


def expect_resumed_is_valid(full, folder):
    """A second group of lines, of a launch that went on with the first one's record."""
    run, case, end = copy.deepcopy(full[RUN:])
    again = run | {"id": "again", "resumes": run["id"]}
    path = pathlib.Path(folder) / "resumed.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in (run, case, end, again, case, end)), encoding="utf-8")
    result = validate(path)
    expect(result.returncode == 0, f"a run that was resumed is refused: {result.stdout}")


def expect_printed(busbar, form, page):
    """scripts/update-golden writes the page again."""
    printed = subprocess.run([busbar, "schema", "--format", form], capture_output=True, text=True, check=False).stdout
    expect(printed == (DOCS.parent / page).read_text(encoding="utf-8"), f"{page} is not what busbar schema --format {form} prints")


def expect_types(kind, record, types, path):
    """The keys of `record` are those of the class, and objects inside are those of theirs."""
    hints = typing.get_type_hints(kind)
    expect(set(record) == set(hints), f"{path}: {set(record) ^ set(hints)} is in one only")
    for key, value in record.items():
        inner = value[0] if isinstance(value, list) and value else value
        named = [name for name in re.findall(r"\w+", str(hints[key])) if name in types and typing.is_typeddict(types[name])]
        if isinstance(inner, dict) and named:
            expect_types(types[named[0]], inner, types, f"{path}.{key}")


def expect_python_types(busbar, full_path):
    text = subprocess.run([busbar, "schema", "--format", "python"], capture_output=True, text=True, check=False).stdout
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "busbar_record.py").write_text(text, encoding="utf-8")
        sys.path.insert(0, folder)
        import busbar_record  # noqa: PLC0415: it was just made
        for record in busbar_record.read_record(full_path):
            kind = record["record"]
            expect_types(vars(busbar_record)[kind.capitalize()], record, vars(busbar_record), kind)


def main(busbar, full_path, empty_path):
    result = validate(full_path, empty_path)
    if result.returncode == 77:
        print(result.stderr)
        return 77
    expect(result.returncode == 0, f"what busbar writes is refused: {result.stdout}{result.stderr}")
    full, empty = read(full_path), read(empty_path)
    for number, kind in enumerate(KINDS):
        walk(SCHEMA["definitions"][kind], full[number], empty[number], f"{kind}")
    is_closed(SCHEMA, "$")
    expect_printed(busbar, "json-schema", "docs/record.schema.json")
    expect_printed(busbar, "markdown", "docs/record_fields.md")
    expect_printed(busbar, "columns", "python/busbar/columns.json")
    if sys.version_info >= (3, 11):
        expect_python_types(busbar, full_path)
    with tempfile.TemporaryDirectory() as folder:
        expect_all_refused(full, folder)
        expect_earlier_is_valid(full, folder)
        expect_resumed_is_valid(full, folder)
    expect(validate().returncode == 2, "no file is wrong use")
    expect(validate("/no/such/file").returncode == 1, "a missing file is an error")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
