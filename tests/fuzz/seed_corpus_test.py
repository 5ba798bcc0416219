#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Corpora are reproducible. A replay fails on a missing or damaged one.

usage: seed_corpus_test.py SEED_CORPUS REPLAY
"""
import io
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

tool, replay = sys.argv[1:]
INPUTS = [b"a:8,b:8\n", b"node[01-04]\n" * 50, b"\x00\xff slots=4\n"]


def run(*words) -> subprocess.CompletedProcess:
    return subprocess.run([*map(str, words)], capture_output=True, text=True)


def require(what: str, holds: bool, seen: object = "") -> None:
    if not holds:
        sys.exit(f"{what}: {seen}")


def make_files(folder: pathlib.Path, order: list[int], seconds: int) -> list[pathlib.Path]:
    folder.mkdir()
    files = [folder / f"found-{i}" for i in order]
    for file, i in zip(files, order):
        file.write_bytes(INPUTS[i])
        os.utime(file, (seconds, seconds))
    return files


def test_writes_the_same(here: pathlib.Path) -> pathlib.Path:
    first, second = here / "first.tar.xz", here / "second.tar.xz"
    require("add", run(tool, "add", first, *make_files(here / "x", [0, 1, 2], 10**9)).returncode == 0)
    files = make_files(here / "y", [2, 0, 1], 10**9 + 7)
    for file in files:  # one after another, in another order, at another time
        require("add one", run(tool, "add", second, file).returncode == 0)
    require("the same inputs gave other bytes", first.read_bytes() == second.read_bytes())
    node = first.stat().st_ino
    done = run(tool, "add", first, *files)
    require("inputs that are there were added again", "3 inputs, 0 of them new" in done.stdout, done)
    require("a corpus that did not change was written", first.stat().st_ino == node)
    return first


def test_lays_out(corpus: pathlib.Path, folder: pathlib.Path, seed: pathlib.Path) -> None:
    lay_out = lambda: run(tool, "lay-out", corpus, folder, seed)
    require("lay-out", (done := lay_out()).returncode == 0, done)
    require("inputs", sorted(p.read_bytes() for p in folder.iterdir()) == sorted([*INPUTS, seed.read_bytes()]))
    require("replay", (done := run(replay, 0, folder)).returncode == 0 and done.stdout.startswith("4 files "), done)
    times = {p: p.stat().st_mtime_ns for p in folder.iterdir()}
    require("again", lay_out().returncode == 0 and times == {p: p.stat().st_mtime_ns for p in folder.iterdir()})
    seed.write_bytes(b"other\n")
    require("a changed seed stays away", lay_out().returncode == 0 and (folder / seed.name).read_bytes() == b"other\n")


def with_members(path: pathlib.Path, members: dict[str, bytes]) -> bytes:
    with tarfile.open(path, "w:xz") as archive:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path.read_bytes()


def test_damaged_fails(good: bytes, here: pathlib.Path, folder: pathlib.Path, seed: pathlib.Path) -> None:
    middle = len(good) // 4  # compressed data
    damaged = {
        "missing": None, "empty": b"", "no archive": b"x" * 1000, "cut off": good[:-30], "without its begin": good[100:],
        "one bit": good[:60] + bytes([good[60] ^ 4]) + good[61:], "a hole": good[:middle] + bytes(8) + good[middle + 8:],
        "no inputs": with_members(here / "t.tar.xz", {}), "another name": with_members(here / "t.tar.xz", {"input": INPUTS[0]}),
        "a path": with_members(here / "t.tar.xz", {"../outside": INPUTS[0]}),
    }
    for what, data in damaged.items():
        corpus = here / "bad_seed_corpus.tar.xz"
        corpus.write_bytes(good)
        require(f"{what}: before", run(tool, "lay-out", corpus, folder, seed).returncode == 0 and folder.is_dir())
        corpus.unlink() if data is None else corpus.write_bytes(data)
        done = run(tool, "lay-out", corpus, folder, seed)
        require(f"{what}: not refused", done.returncode == 1, done)
        require(f"{what}: words", done.stderr.startswith(f"seed_corpus: {corpus}: ") and done.stderr.count("\n") == 1, done)
        require(f"{what}: a folder is left to replay", not folder.exists() and run(replay, 0, folder).returncode != 0)
        if data is not None:  # what is damaged is not written over either
            require(f"{what}: added to", run(tool, "add", corpus, seed).returncode == 1 and corpus.read_bytes() == data)
    require("something was written outside", not (here / "outside").exists())


def test_two_seeds_of_one_name(corpus: pathlib.Path, folder: pathlib.Path, here: pathlib.Path) -> None:
    same = here / "other" / "found-0"
    same.parent.mkdir()
    same.write_bytes(b"1")
    done = run(tool, "lay-out", corpus, folder, here / "x" / "found-0", same)
    require("one of two seeds was lost", done.returncode == 1 and "found-0" in done.stderr and not folder.exists(), done)


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    seed = here / "seed"
    seed.write_bytes(b"seed\n")
    corpus = test_writes_the_same(here)
    test_lays_out(corpus, here / "laid" / "out", seed)
    test_damaged_fails(corpus.read_bytes(), here, here / "laid" / "out", seed)
    test_two_seeds_of_one_name(corpus, here / "laid" / "twice", here)
