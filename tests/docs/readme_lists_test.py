#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""README and docs/method.md name the collectives, and count the types and operations, that busbar-bench --list prints;
docs/point-to-point.md has the rest.

usage: readme_lists_test.py BUSBAR_BENCH SOURCE_FOLDER
"""
import pathlib
import re
import subprocess
import sys

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
           "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty")
SENTENCE = re.compile(r"\*\*(\w+) collectives and (\w+) patterns\*\*: (.*?); (.*?); in place and out of place; (\w+) types, (\w+) operations")


def listed(bench: str) -> dict[str, list[str]]:
    """The names below each heading of --list."""
    text = subprocess.run([bench, "--list"], check=True, capture_output=True, text=True).stdout
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith(" "):
            found[heading := line.split()[0].rstrip(":")] = []
        elif ", " in line and heading == "operations":
            found[heading] += line.strip().split(", ")
        else:
            found[heading].append(line.split()[0])
    return found


def compare(what: str, written: object, real: object) -> list[str]:
    return [] if written == real else [f"{what}: written {written}, busbar-bench --list has {real}"]


def readme_problems(text: str, real: dict[str, list[str]]) -> list[str]:
    sentence = SENTENCE.search(" ".join(text.split()))
    if not sentence:
        return ["README.md: the sentence on collectives, patterns, types and operations is not found"]
    collectives, patterns, names, more, types, operations = sentence.groups()
    parts = [re.sub(r" \([^)]*\)", "", part).split(", ") for part in (names, more)]
    counts = {"collectives": collectives, "patterns": patterns, "types": types, "operations": operations}
    numbers = {what: NUMBERS.index(word.lower()) for what, word in counts.items()}
    return (compare("README.md, names", sorted(parts[0] + parts[1]), sorted(real["collectives"])) +
            [f"README.md: {numbers[what]} {what}, but {len(part)} are named"
             for what, part in zip(("collectives", "patterns"), parts) if numbers[what] != len(part)] +
            compare("README.md, types", numbers["types"], len(real["types"])) +
            compare("README.md, operations", numbers["operations"], len(real["operations"])))


def method_problems(text: str, real: dict[str, list[str]]) -> list[str]:
    """The table of bus factors; a barrier has none."""
    table = text[text.index("| collective | factor |"):].split("\n\n")[0]
    names = [name for line in table.splitlines()[2:] for name in line.split("|")[1].strip().split(", ")]
    return compare("docs/method.md, bus factors", sorted(names), sorted(set(real["collectives"] + real["uneven"]) - {"barrier"}))


def pair_problems(text: str, real: dict[str, list[str]]) -> list[str]:
    names = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    return compare("docs/point-to-point.md, names", names, real["messages"] + real["one-sided"])


def main(bench: str, source: pathlib.Path) -> int:
    real = listed(bench)
    problems = (readme_problems((source / "README.md").read_text(encoding="utf-8"), real) +
                pair_problems((source / "docs/point-to-point.md").read_text(encoding="utf-8"), real) +
                method_problems((source / "docs/method.md").read_text(encoding="utf-8"), real))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
