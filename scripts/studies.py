# SPDX-License-Identifier: Apache-2.0
"""Shared by the studies that measure: launches in alternation, each with a record of its own, resumable."""
import contextlib
import json
import os
import pathlib
import random
import signal
import subprocess
import time
import typing
from collections.abc import Callable

LIMIT_S = 900  # of a launch


class Failed(Exception):
    """A step of a study failed; the text is for the user."""


class Launch(typing.NamedTuple):
    """One of the commands that alternate: run() measures and writes the record that it is given, and gives an exit code."""
    name: str
    run: Callable[[pathlib.Path], int]


def is_complete(record: pathlib.Path) -> bool:
    if not record.exists():
        return False
    lines = record.read_text().splitlines()
    return bool(lines) and json.loads(lines[-1]).get("status") == "ok"


def alternate(setting: str, launches: list[Launch], rounds: int, folder: pathlib.Path, log: pathlib.Path) -> list[str]:
    """Launches each once in each round, in a shuffled order that is the same each time. Those with a complete record,
    folder/NAME-ROUND.jsonl, are not repeated. Prints progress. The launches that failed, in words."""
    folder.mkdir(parents=True, exist_ok=True)
    order, failed, began, spent = random.Random(setting), [], time.monotonic(), 0
    todo = [(n, launch) for n in range(1, rounds + 1) for launch in order.sample(launches, len(launches))]
    for done, (number, launch) in enumerate(todo):
        record = folder / f"{launch.name.replace(' ', '-')}-{number:02}.jsonl"
        if is_complete(record):
            continue
        record.unlink(missing_ok=True)
        code = launch.run(record)
        spent += 1
        left_s = (time.monotonic() - began) / spent * (len(todo) - done - 1)
        print(f"{setting}: launch {number} of {rounds}, {launch.name}: {'ok' if code == 0 else f'exit code {code}'}; "
              f"about {left_s / 60:.0f} min left here", flush=True)
        if code != 0:
            failed.append(f"{setting}, {launch.name}, launch {number}: exit code {code}; see {log}")
    return failed


def run_logged(command: list, env: dict[str, str], log: pathlib.Path) -> int:
    """Runs a command with its output appended to a log; the exit code, 124 where it took longer than LIMIT_S."""
    with log.open("a") as file:
        file.write(f"$ {' '.join(map(str, command))}\n")
        file.flush()
        child = subprocess.Popen([str(word) for word in command], env=env, stdin=subprocess.DEVNULL, stdout=file,
                                 stderr=subprocess.STDOUT)
        try:
            return child.wait(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            child.terminate()  # a launcher ends its ranks
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(timeout=20)
            return 124
        finally:
            child.kill()
            child.wait()


def call(command: list) -> str:
    """Standard output of a command."""
    got = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if got.returncode != 0:
        raise Failed(got.stderr.strip())
    return got.stdout


class Lab:
    """A lab (scripts/lab) with a name of its own, while a block runs. SIGTERM then ends the block as Ctrl-C does, and the lab with it."""

    def __init__(self, name: str, up: list[str], show: bool = False):
        self.script = str(pathlib.Path(__file__).resolve().parent / "lab")
        self.env, self.words, self.show = os.environ | {"BUSBAR_LAB": name}, ["up", *up], show

    def __enter__(self) -> "Lab":
        self.said = ""
        self.on_term = signal.signal(signal.SIGTERM, signal.default_int_handler)
        with subprocess.Popen([self.script, *self.words], env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as up:
            try:
                for line in up.stdout:
                    self.said += line
                    if self.show:
                        print(f"  {line}", end="", flush=True)
                why = up.stderr.read().strip()
            except KeyboardInterrupt:
                up.terminate()  # it takes down what it has made
                raise
        if up.returncode != 0:
            raise Failed(why or f"scripts/lab up ended with exit code {up.returncode}")
        return self

    def __exit__(self, *_) -> None:
        self.do("down")
        signal.signal(signal.SIGTERM, self.on_term)

    def do(self, *words: str) -> str:
        got = subprocess.run([self.script, *words], env=self.env, capture_output=True, text=True)
        if got.returncode != 0:
            raise Failed(got.stderr.strip() or f"scripts/lab {words[0]} ended with exit code {got.returncode}")
        return got.stdout
