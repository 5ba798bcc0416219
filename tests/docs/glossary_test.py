#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/glossary.md is what busbar glossary writes, each term is there once, and a part of a name finds it.

usage: glossary_test.py BUSBAR SOURCE_FOLDER
"""
import json
import pathlib
import subprocess
import sys

NEEDED = ("busbw", "arrival skew", "half-width", "target precision", "bus bandwidth", "algorithm bandwidth", "grade", "launch", "round")


def glossary(busbar: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([busbar, "glossary", *words], capture_output=True, text=True)


def main(busbar: str, source: pathlib.Path) -> int:
    found = []
    if glossary(busbar, "--format", "md").stdout != (source / "docs/glossary.md").read_text(encoding="utf-8"):
        found.append("docs/glossary.md is not what busbar glossary --format md writes; run scripts/update-golden")
    terms = [entry["term"] for entry in json.loads(glossary(busbar, "--format", "json").stdout)]
    names = [name for term in terms for name in term.split(", ")]
    found += [f"'{name}' is explained {names.count(name)} times" for name in sorted(set(names)) if names.count(name) > 1]
    found += [f"no term '{name}'" for name in NEEDED if name not in names]
    one = json.loads(glossary(busbar, "BUSBW", "--format", "json").stdout)
    if [entry["term"] for entry in one] != ["busbw"]:
        found.append(f"busbar glossary BUSBW finds {one}")
    wrong = glossary(busbar, "flux capacitor")
    if wrong.returncode != 2 or "'flux capacitor'" not in wrong.stderr:
        found.append(f"an unknown term: exit code {wrong.returncode}, {wrong.stderr}")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
