# SPDX-License-Identifier: Apache-2.0
"""Runs a program of a page in its place: with fewer ranks, sizes and samples, so that all pages are run in seconds.

usage: stand_in.py small|real PROGRAM WORDS...
real: as the page says, but on no more ranks than one machine bears, and busbar-bench for a minute where the page has no limit.
"""
import os
import re
import sys

MOST_RANKS = {"small": 2, "real": 8}
MOST_TRAINING_RANKS = {"small": 2, "real": 4}  # that compute: each takes gigabytes in earnest
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
NO_RUN = {"--list", "--help", "--help-all", "--version", "--write-document"}


def value_of(words: list[str], *names: str) -> str | None:
    """The word after the last of these options."""
    at = [i for i, word in enumerate(words[:-1]) if word in names]
    return words[at[-1] + 1] if at else None


def bytes_of(size: str) -> int:
    found = re.fullmatch(r"(\d+)([KMG]?)(?:i?B)?", size)
    return int(found[1]) * UNITS[found[2]] if found else 0


def with_options(words: list[str], options: dict[tuple[str, ...], str]) -> list[str]:
    """Each option of one value, in place of what was given."""
    for names, value in options.items():
        while given := [i for i, word in enumerate(words) if word in names]:
            words = words[:given[0]] + words[given[0] + 2:]
        words = [*words, names[0], value]
    return words


SMALL_JOB = {("--noise",): "0", ("--run-budget",): "20"}
SMALL_SWEEP = {**SMALL_JOB, ("-n", "--iters"): "4", ("--settle",): "no"}
SMALL_TRAINING = {**SMALL_JOB, ("-n", "--steps"): "2", ("-w", "--warmup"): "1"}


def small_bench(words: list[str]) -> list[str]:
    """Few samples of few sizes."""
    small = SMALL_SWEEP if "replay" in words else SMALL_SWEEP | {("-w", "--warmup_iters"): "1"}
    if not {"replay", "--sizes", "pairs"} & set(words):
        least, most = (bytes_of(value_of(words, *names) or standard) for names, standard in
                       ((("-b", "--minbytes"), "8"), (("-e", "--maxbytes"), "64M")))
        most = least if "all" in words else max(least, min(most, 64 << 10))
        small |= {("-e", "--maxbytes"): str(most), ("-f", "--stepfactor"): "8192"}
    return with_options(words, small)


def small_train(words: list[str]) -> list[str]:
    """Two steps, of a small network where they are computed."""
    small = dict(SMALL_TRAINING)
    if "replay" not in words:
        small |= {("--image",): "32", ("--model",): "resnet18", ("--batch",): "4" if "strong" in words else "1"}
    return with_options(words, small)


def fewer_ranks(words: list[str], most: int) -> list[str]:
    """Of mpirun: at most `most` ranks; not bound where there are more ranks than CPUs."""
    at = next((i for i, word in enumerate(words[:-1]) if word in ("-np", "-n", "--np")), None)
    if at is None:
        return words
    ranks = min(int(words[at + 1]), most)
    words = [*words[:at + 1], str(ranks), *words[at + 2:]]
    if ranks > len(os.sched_getaffinity(0)) and "--bind-to" in words:
        bind = words.index("--bind-to")
        words = words[:bind] + words[bind + 2:]
    return words


def bearable_ranks(kind: str, words: list[str]) -> int:
    if any("busbar-preflight" in word for word in words):
        return max(2, len(os.sched_getaffinity(0)))  # with more ranks than CPUs it fails
    computes = any("busbar-train" in word for word in words) and "replay" not in words
    return (MOST_TRAINING_RANKS if computes else MOST_RANKS)[kind]


def bearable_scales(kind: str, words: list[str]) -> list[str]:
    """Of busbar-train: without the groups that are larger than what `bearable_ranks` leaves."""
    scale = value_of(words, "--scale")
    if not scale or "replay" in words:
        return words
    return with_options(words, {("--scale",): ",".join(ranks for ranks in scale.split(",") if int(ranks) <= MOST_TRAINING_RANKS[kind])})


def limited(words: list[str]) -> list[str]:
    limits = {"--run-budget", "--quick", "-n", "--iters", "--steps"}
    return words if limits & set(words) else [*words, "--run-budget", "60"]


def changed(kind: str, program: str, words: list[str]) -> list[str]:
    name = os.path.basename(program)
    if name in ("mpirun", "mpiexec"):
        return fewer_ranks(words, bearable_ranks(kind, words))
    if NO_RUN & set(words):
        return words
    if name == "busbar-train":
        words = bearable_scales(kind, words)
    if kind == "real":
        return limited(words) if name == "busbar-bench" else words
    small = {"busbar-bench": small_bench, "busbar-train": small_train}.get(name)
    return small(words) if small else words


if __name__ == "__main__":
    kind, program, *words = sys.argv[1:]
    os.execv(program, [program, *changed(kind, program, words)])
