#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tree matches "Rooms" in AGENTS.md: a folder includes itself and the folders above it in the first list, and libraries
by the second. No two files include each other, even indirectly. No folder has too many units.

usage: rooms_test.py SOURCE_FOLDER
"""
import collections
import pathlib
import re
import sys

ROOTS = ("core", "bench", "workloads", "preflight", "reports")
MOST_UNITS = 25  # a header and its source are one


def sources(top: pathlib.Path) -> dict[str, list[str]]:
    """Each file and what it includes of ours."""
    paths = [path for root in ROOTS for path in (top / root).rglob("*") if path.suffix in (".cpp", ".hpp", ".cu", ".cuh")]
    names = {str(path.relative_to(top)) for path in paths}
    including = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
    return {name: [to for to in including.findall((top / name).read_text(encoding="utf-8")) if to in names] for name in names}


def drawn(top: pathlib.Path) -> tuple[list[str], dict[str, set[str]]]:
    """The folders under "Rooms" in order, and by a header's first letters the folders that may include it."""
    chapter = (top / "AGENTS.md").read_text(encoding="utf-8").partition("## Rooms\n")[2]
    rooms, libraries = [block.splitlines() for block in chapter.split("```\n")[1:4:2]]
    order = [word for line in rooms for word in line.split("#")[0].split()]
    words = [line.split() for line in libraries]
    return order, {word: set(order) & set(line) for line in words for word in line if word not in order}


def wrong_libraries(top: pathlib.Path, names: list[str], libraries: dict[str, set[str]]) -> list[str]:
    including = re.compile(r"^#include <([^>]+)>", re.MULTILINE)
    found = [f"AGENTS.md: no room includes {word}" for word, rooms in libraries.items() if not rooms]
    for name in names:
        for header in including.findall((top / name).read_text(encoding="utf-8")):
            for word, rooms in libraries.items():
                if header.startswith(word) and folder(name) not in rooms:
                    found.append(f"{name}: <{header}> is for {', '.join(sorted(rooms))}")
    return found


def folder(name: str) -> str:
    return name.rpartition("/")[0]


def unit(name: str) -> str:
    return name.rpartition(".")[0]


def wrong_arrows(files: dict[str, list[str]], rooms: list[str]) -> list[str]:
    place = {room: number for number, room in enumerate(rooms)}
    found = [f"AGENTS.md: {room} does not stand under Rooms" for room in sorted({folder(name) for name in files} - set(rooms))]
    found += [f"AGENTS.md: there is no folder {room} with sources" for room in rooms if room not in {folder(name) for name in files}]
    for name, includes in sorted(files.items()):
        for to in includes:
            if place.get(folder(to), 0) > place.get(folder(name), 0):
                found.append(f"{name}: {to} is of a room below its own in AGENTS.md")
    return found


def circles(files: dict[str, list[str]]) -> list[str]:
    arrows = collections.defaultdict(set)
    for name, includes in files.items():
        arrows[unit(name)] |= {unit(to) for to in includes} - {unit(name)}
    done: set[str] = set()
    found = []

    def visit(at: str, way: list[str]) -> None:
        if at in way:
            found.append("circle: " + " -> ".join(way[way.index(at):] + [at]))
        elif at not in done:
            for to in sorted(arrows[at]):
                visit(to, way + [at])
            done.add(at)

    for at in sorted(arrows):
        visit(at, [])
    return found


def crowded(files: dict[str, list[str]]) -> list[str]:
    units = collections.Counter(folder(name) for name in {unit(file) for file in files})
    return [f"{room}: {count} units; at most {MOST_UNITS}" for room, count in sorted(units.items()) if count > MOST_UNITS]


def self_test() -> list[str]:
    """Files that break each rule are found out."""
    files = {"a/x.hpp": ["b/y.hpp"], "b/y.hpp": ["a/z.hpp"], "a/z.cpp": [], "a/z.hpp": ["a/x.hpp"]}
    files |= {f"c/u{number}.cpp": [] for number in range(MOST_UNITS + 1)}
    rules = {"arrow": wrong_arrows(files, ["a", "b", "c"]), "room": wrong_arrows(files, ["a", "b"]), "circle": circles(files),
             "crowd": crowded(files)}
    return [f"{rule}: not found out" for rule, found in rules.items() if len(found) != 1 and not (rule == "room" and len(found) == 2)]


def main(top: pathlib.Path) -> int:
    files = sources(top)
    rooms, libraries = drawn(top)
    failures = self_test() + wrong_arrows(files, rooms) + circles(files) + crowded(files)
    failures += wrong_libraries(top, sorted(files), libraries)
    print(f"{len(files)} files in {len(rooms)} rooms")
    for failure in failures:
        print(failure)
    return 1 if failures or not files or not rooms or not libraries else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
