#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of README.md and docs/, page by page and top to bottom, and checks the options of those that cannot run here.

usage: commands_test.py --source FOLDER --bin FOLDER --mpirun FILE --work FOLDER [--full] [--check] [PAGE...]

Without --full: few ranks, samples and sizes (commands/stand_in.py). Marks above a block say what cannot run, and why
(commands/pages.py). Every page has a folder of its own that looks like the repository, with its inputs (commands/inputs.py).
"""
import argparse
import collections
import concurrent.futures
import pathlib
import shutil
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "commands"))
import inputs  # noqa: E402
from check_itself import check_itself  # noqa: E402
from known_options import KnownOptions  # noqa: E402
from page_runner import (Failure, PageFolder, Settings, check_data, make_tree, missing_module, missing_tool,  # noqa: E402
                         unpack_examples)
from pages import Block, Command, PageError, commands_of, read_blocks, read_pages  # noqa: E402


class Counts:
    """How many commands were run, and why others were not."""

    def __init__(self) -> None:
        self.run, self.others = 0, collections.Counter()

    def add(self, other: "Counts") -> None:
        self.run += other.run
        self.others.update(other.others)

    def text(self, what: str) -> str:
        number = sum(self.others.values())
        reasons = ", ".join(f"{count} {reason}" for reason, count in self.others.most_common())
        return f"{self.run + number} {what}: {self.run} run" + (f", {number} checked only: {reasons}" if number else "")


def why_not_run(command: Command, options: KnownOptions, full: bool) -> str:
    if command.reasons:
        return command.reasons[0]
    if command.nightly and not full:
        return "run by night"
    tool = missing_tool(command.text, options)
    return f"no {tool} here" if tool else ""


class Page:
    def __init__(self, name: str, blocks: list[Block], settings: Settings, options: KnownOptions) -> None:
        self.name, self.blocks, self.settings, self.options = name, blocks, settings, options
        self.counts, self.problems, self.times = Counts(), [], []

    def check(self) -> None:
        """Programs, options, files, marks and data, without running anything."""
        for block in self.blocks:
            try:
                for command in commands_of(block):
                    self.problems += [f"{command.where()}\n  {problem}" for problem in self.options.problems(command.text)]
                check_data(block, self.settings.programs / "busbar")
            except (PageError, Failure) as error:
                self.problems.append(str(error) if isinstance(error, PageError) else f"{block.page}:{block.line}: {error}")

    def run(self, tree: pathlib.Path, files: dict[str, pathlib.Path]) -> None:
        """Until the first failure."""
        folder = PageFolder(self.settings, self.name, tree, files)
        try:
            for block in self.blocks:
                for mark in block.marks_of("file"):
                    folder.write_file(mark.value, block.text())
            if commands := inputs.COMMANDS.get(self.name):
                self.attempt(f"commands/inputs.py: {self.name}", lambda: folder.run(commands, {0}))
            for block in self.blocks:
                for command in commands_of(block):
                    self.run_command(command, folder)
            self.run_python(folder)
        finally:
            folder.close()

    def run_command(self, command: Command, folder: PageFolder) -> None:
        reason = why_not_run(command, self.options, self.settings.full)
        if reason:
            self.counts.others[reason] += 1
            return
        self.counts.run += 1
        self.attempt(command.where(), lambda: folder.run(command.text, command.exit_codes, command.interrupted))

    def run_python(self, folder: PageFolder) -> None:
        """All blocks in Python as one program, as the cells of a notebook: after the commands."""
        cells, missing = {}, ""
        for block in (block for block in self.blocks if block.language == "python"):
            missing = missing or missing_module(block.text())  # later blocks go on from this one
            reason = "".join(m.value for m in block.marks_of("not run")) or (f"no {missing} here" if missing else "")
            if reason:
                self.counts.others[reason] += 1
            else:
                self.counts.run += 1
                cells[f"{block.page}:{block.line}"] = block.text()
        if cells:
            self.attempt(f"{self.name}: blocks in Python", lambda: folder.run_python(inputs.PYTHON.get(self.name, ""), cells))

    def attempt(self, what: str, run) -> None:
        """Throws Failure, which says what failed."""
        began = time.monotonic()
        try:
            run()
        except Failure as failure:
            raise Failure(f"{what}\n  {failure}") from None
        finally:
            self.times.append((time.monotonic() - began, what))


def run_pages(pages: list[Page], settings: Settings) -> None:
    """Two at a time; by night each alone."""
    tree, examples = make_tree(settings), unpack_examples(settings, inputs.EXAMPLES)

    def run(page: Page) -> None:
        try:
            page.run(tree, inputs.files_of(page.name, settings.source, examples))
        except Failure as failure:
            page.problems.append(str(failure))

    longest_first = sorted(pages, key=lambda page: -sum(len(block.lines) for block in page.blocks))
    with concurrent.futures.ThreadPoolExecutor(1 if settings.full else 2) as pool:
        list(pool.map(run, longest_first))


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a caller may ignore it, and what it starts would, too
    parser = argparse.ArgumentParser()
    for name in ("source", "bin", "mpirun", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--check", action="store_true", help="run nothing")
    parser.add_argument("--slowest", type=int, default=0, help="name so many commands that took longest")
    parser.add_argument("pages", nargs="*")
    args = parser.parse_args()
    settings = Settings(args.source.resolve(), args.bin.resolve(), args.mpirun, args.work.resolve(), args.full)
    shutil.rmtree(settings.work, ignore_errors=True)
    if wrong := check_itself(settings.programs):
        sys.exit("commands_test.py itself is wrong:\n" + "\n".join(wrong))
    options = KnownOptions(settings.source, settings.programs)
    try:
        pages = [Page(name, blocks, settings, options) for name, blocks in read_pages(settings.source)]
    except PageError as error:
        sys.exit(str(error))
    pages = [page for page in pages if not args.pages or page.name in args.pages]
    for page in pages:
        page.check()
    problems = [problem for page in pages for problem in page.problems]
    if not args.pages:
        problems += [f"commands/inputs.py: no page {name}" for name in sorted(inputs.pages() - {page.name for page in pages})]
    if not problems and not args.check:
        run_pages(pages, settings)
        problems = [problem for page in pages for problem in page.problems]
    total = Counts()
    for page in pages:
        total.add(page.counts)
    for seconds, what in sorted((time for page in pages for time in page.times), reverse=True)[:args.slowest]:
        print(f"{seconds:6.1f} s  {what}")
    print(*problems, total.text("commands"), sep="\n")
    return 1 if problems or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
