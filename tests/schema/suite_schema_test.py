#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""suite_schema_test.py BUSBAR: docs/suite.schema.json and busbar take the same suites, and refuse the same."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: needs the Python package jsonschema (Debian: python3-jsonschema)", file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "suite.schema.json").read_text(encoding="utf-8"))
STEP = {"name": "two", "about": "x", "program": "busbar-train", "arguments": ["-n", "{size}"], "nodes": "all",
        "ranks_per_node": 2, "launches": 3, "labels": {"a": "b"}, "time_limit_s": 20, "required": True}
FULL = {"format": "busbar suite", "version": 1, "name": "full", "about": "x", "variables": {"size": "8"},
        "labels": {"site": "lab"}, "steps": [{"name": "one", "program": "busbar-bench"}, STEP]}
# Where, and a value that is refused there.
REFUSED = [
    (["format"], "busbar record"), (["version"], 2), (["version"], "1"), (["name"], "a b"), (["name"], ""), (["name"], "-a"),
    (["about"], 1), (["about"], ""), (["colour"], "red"), (["variables"], ["a"]), (["variables"], {"a": 1}),
    (["variables"], {"nodes": "1", "size": "8"}), (["labels"], {"a=b": "c"}), (["labels"], {"": "c"}), (["steps"], []),
    (["steps"], {}), (["steps", 0], "one"), (["steps", 1, "name"], "Two"), (["steps", 1, "program"], "osu_allreduce"),
    (["steps", 1, "arguments"], "-n 1"), (["steps", 1, "arguments", 0], 1), (["steps", 1, "arguments", 0], "--out=x"),
    (["steps", 1, "arguments", 0], "--label"), (["steps", 1, "nodes"], "2"), (["steps", 1, "nodes"], 0),
    (["steps", 1, "nodes"], 1.5), (["steps", 1, "nodes"], None), (["steps", 1, "ranks_per_node"], "both"),
    (["steps", 1, "launches"], 0), (["steps", 1, "launches"], "all"), (["steps", 1, "time_limit_s"], -1),
    (["steps", 1, "required"], "yes"), (["steps", 1, "labels"], {"a": None}), (["steps", 1, "node"], 2),
]
MISSING = [["format"], ["version"], ["name"], ["steps"], ["steps", 1, "name"], ["steps", 1, "program"]]
# Optional keys: the suite stands without them.
OPTIONAL = [["about"], ["labels"]] + [["steps", 1, key] for key in STEP if key not in ("name", "program")]
failures = []


def at(suite, path):
    for key in path[:-1]:
        suite = suite[key]
    return suite


def changed(path, value):
    suite = copy.deepcopy(FULL)
    at(suite, path)[path[-1]] = value
    return suite


def without(path):
    suite = copy.deepcopy(FULL)
    del at(suite, path)[path[-1]]
    return suite


def hold(suite, wanted, what, folder):
    """Both say whether this is a suite."""
    by_schema = jsonschema.Draft7Validator(SCHEMA).is_valid(suite)
    file = folder / "suite.json"
    file.write_text(json.dumps(suite))
    got = subprocess.run([sys.argv[1], "suite", "show", file, "--hosts", "a:2"], capture_output=True, text=True)
    by_busbar = got.returncode == 0
    if by_schema != wanted or by_busbar != wanted or (not wanted and (got.returncode != 2 or str(file) not in got.stderr)):
        failures.append(f"{what}: schema {by_schema}, busbar {by_busbar}, expected {wanted}; busbar says: {got.stderr}")


jsonschema.Draft7Validator.check_schema(SCHEMA)
for part, known in ((SCHEMA, FULL), (SCHEMA["definitions"]["step"], STEP)):
    if set(part["properties"]) != set(known):
        failures.append(f"keys of the schema and of the full suite differ: {set(part['properties']) ^ set(known)}")
    failures += [f"{key} has no description" for key, value in part["properties"].items() if not value.get("description")]
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    hold(FULL, True, "the full suite", folder)
    for path in OPTIONAL:
        hold(without(path), True, f"without {path}", folder)
    for path in MISSING:
        hold(without(path), False, f"without {path}", folder)
    for path, value in REFUSED:
        hold(changed(path, value), False, f"{path} = {value!r}", folder)
    for shipped in sorted((ROOT / "scripts" / "suites").glob("*.json")):
        hold(json.loads(shipped.read_text(encoding="utf-8")), True, shipped.name, folder)

print("\n".join(failures))
sys.exit(1 if failures else 0)
