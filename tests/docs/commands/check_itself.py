# SPDX-License-Identifier: Apache-2.0
"""Finds what is wrong in made-up pages, and nothing else."""
import pathlib
import re
import tempfile

import pages
from known_options import KnownOptions
from page_runner import Failure, PageFolder, Settings

# A page, and a part of what is said of it; empty: nothing is wrong.
PAGES = (
    ("```\nbusbar show x.jsonl --format md   # a comment\n```\n", ""),
    ("```\nbusbar show x.jsonl --no-such\n```\n", "busbar show has no option --no-such"),
    ("```\nmpirun -np 2 --bind-to core busbar-bench -e1M --cadnce streaming\n```\n", "busbar-bench has no option --cadnce"),
    ("```\n$ busbar repeat -- mpirun -np 2 \\\n    busbar-bench --no-such\nits output --no-such\n```\n", "busbar-bench has no option --no-such"),
    ("```\nbusbar-nothing x\n```\n", "no such program: busbar-nothing"),
    ("```\nscripts/nothing x\n```\n", "no such script: scripts/nothing"),
    ("```\nscripts/there --known tests/gone.jsonl\n```\n", "no such file in the repository: tests/gone.jsonl"),
    ("```\nscripts/there --unknown\n```\n", "scripts/there has no option --unknown"),
    ("```\nfor n in 1 2; do\n  busbar show $n.jsonl --no-such\ndone\n```\n", "busbar show has no option --no-such"),
    ("```\nbusbar show x.jsonl\n2 runs\n```\n", "'2 runs' is no command"),
    ("```text\nbusbar show --no-such\n```\n", ""),
    ("```klingon\n```\n", "unknown language 'klingon'"),
    ("```\nbusbar show x.jsonl\n", "has no end"),
    ("<!-- not run: needs GPUs -->\n\n```\nbusbar show x.jsonl\n```\n", "not directly above a code block"),
    ("<!-- not run: needs GPUs -->\n```\nbusbar show x.jsonl\n```\n", "'needs GPUs' applies to none"),
    ("<!-- not run: too tedious -->\n```\nbusbar show x.jsonl\n```\n", "unknown reason 'too tedious'; accepted: needs GPUs, "),
    ("<!-- not run: needs GPUs -->\n```\nbusbar show gpu.jsonl\nbusbar show x.jsonl\n```\n", "the reason does not apply to: busbar show x.jsonl"),
    ("<!-- not run: needs GPUs: x.jsonl -->\n```\nbusbar show y.jsonl\n```\n", "no command below with 'x.jsonl'"),
    ("<!-- not run: needs GPUs -->\n```\nbusbar show gpu.jsonl --no-such\n```\n", "busbar show has no option --no-such"),
    ("<!-- exit code: some -->\n```\nbusbar show x.jsonl\n```\n", "accepted: "),
)
# A command, whether it is interrupted, and a part of the failure.
RUNS = (("test 1 = 1 && export KEPT=yes && cd scripts", False, ""), ('test "$KEPT" = yes && test -e there', False, ""),
        ("echo last words; test 1 = 2", False, "exit code 1, expected 0\n    last words"), ("sleep 60", True, ""),
        ("sleep 60", False, "took longer than 1 s"))


def problems_of(text: str, options: KnownOptions) -> list[str]:
    try:
        return [problem for block in pages.read_blocks("page.md", text) for command in pages.commands_of(block)
                for problem in options.problems(command.text)]
    except pages.PageError as error:
        return [str(error)]


def wrong(wanted: str, found: list[str]) -> bool:
    return bool(found) if not wanted else len(found) != 1 or wanted not in found[0]


class ShortSettings(Settings):
    def limit_s(self) -> float:
        return 1

    def until_interrupt_s(self) -> float:
        return 0.1


def check_itself(programs: pathlib.Path) -> list[str]:
    """What this test does wrong; empty where nothing is."""
    with tempfile.TemporaryDirectory() as name:
        source = pathlib.Path(name) / "source"
        for folder in ("scripts", "tests"):
            (source / folder).mkdir(parents=True)
        (source / "scripts/there").write_text("#!/bin/sh\n# --known\n")
        (source / "scripts/there").chmod(0o755)
        found = [f"{text!r}: found {got}, wanted '{wanted}'" for text, wanted in PAGES
                 for got in [problems_of(text, KnownOptions(source, programs))] if wrong(wanted, got)]
        folder = PageFolder(ShortSettings(source, programs, pathlib.Path("mpirun"), pathlib.Path(name) / "work", False), "page.md", source, {})
        for command, interrupted, wanted in RUNS:
            try:
                folder.run(command, {0}, interrupted)
                got = []
            except Failure as failure:
                got = [str(failure)]
            found += [f"{command}: found {got}, wanted '{wanted}'"] if wrong(wanted, got) else []
    return [re.sub(r"\n", " ", problem) for problem in found]
