#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates busbar journals against docs/record.schema.json.

usage: validate_records.py FILE...

Every line must be a valid record; the first is the run, and nothing follows the end, in front of and behind launch records. Prints one line for each line that
is not, FILE:LINE: PLACE: REASON. Exit code 0: all valid; 1: some are not; 2: wrong use; 77: no Python package jsonschema.
"""

import json
import pathlib
import sys

try:
    import jsonschema
    from jsonschema.exceptions import best_match
except ImportError:
    print("skipped: needs the Python package jsonschema (Debian: python3-jsonschema)", file=sys.stderr)
    sys.exit(77)

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "record.schema.json"


def refuse_constant(text):
    raise ValueError(f"{text} is no JSON")


def refuse_repeated_keys(pairs):
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"key '{key}' stands twice in one object")
    return dict(pairs)


def parse(line):
    """One line as JSON. Python's own reader would take NaN, and of repeated keys the last."""
    return json.loads(line, parse_constant=refuse_constant, object_pairs_hook=refuse_repeated_keys)


def place(error):
    return "$" + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)


def reason_in_line(validator, line):
    """Why the line is no record, or None where it is one; and the record."""
    try:
        record = parse(line)
    except ValueError as e:
        return f"not JSON: {e}", {}
    error = best_match(validator.iter_errors(record))
    if error is None:
        return None, record
    return f"{place(error)}: {error.message}", {}


def reason_in_order(record, head, after_end):
    """`head`: id of the first run; None: this is the first record."""
    kind = record["record"]
    if (kind == "run") != (head is None) and not (kind == "run" and record.get("resumes") == head):
        return "the first record is a run, and others only where they resumed it"
    return "a record after the end" if after_end and kind != "run" else None


def problems(validator, path):
    number, head, after_end = 0, None, False
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            reason, record = reason_in_line(validator, line)
            if record.get("record") == "launch":  # of `busbar repeat`: what follows is a journal by itself, or nothing
                head, after_end = None, False
                continue
            reason = reason or reason_in_order(record, head, after_end)
            head = head or record.get("id", "")
            kind = record.get("record")
            after_end = kind == "end" or (after_end and kind != "run")
            if reason:
                yield f"{path}:{number}: {reason}"
            elif not line.endswith("\n"):
                yield f"{path}:{number}: the line is not ended"
    if number == 0:
        yield f"{path}:1: empty; a journal starts with a run record"


def main(paths):
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    found = 0
    for path in paths:
        try:
            for problem in problems(validator, path):
                print(problem)
                found += 1
        except (OSError, UnicodeDecodeError) as e:
            print(f"{path}: cannot be read: {e}")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
