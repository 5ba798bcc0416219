# SPDX-License-Identifier: Apache-2.0
"""Code blocks of Markdown pages, their marks, and the commands in them.

A mark is an HTML comment on the lines directly above a block. One that ends in ": WORDS" applies to the commands that
contain WORDS.

    <!-- not run: needs GPUs -->          the options are checked; REASONS lists what may be said
    <!-- run: nightly -->                 takes too long for CI
    <!-- exit code: 0 or 1 -->            expected, instead of 0
    <!-- ends by: Ctrl-C -->              serves until it is interrupted
    <!-- file: mine.json -->              the block is a file, which later commands of the page read
"""
import dataclasses
import pathlib
import re
import shlex
import subprocess

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*([^`]*)$")
MARK = re.compile(r"^\s*<!--\s*(not run|run|exit code|ends by|file):\s*(.*?)\s*-->\s*$")
COMMENT = re.compile(r"^\s*<!--.*-->\s*$")
SHELL = {"sh", "bash", "shell", "console"}
PLAIN = {"", "text", "output", "mermaid", "bibtex", "latex", "tex", "ini"}  # "": commands if the first line is one
DATA = {"json", "jsonl", "python", "yaml"}
OURS = re.compile(r"(?:\S*/bin/)?busbar(?:-[a-z]+)*|(?:\./)?(?:scripts|tests)/\S+")
# Programs of others that pages call
TOOLS = set("""cc c++ mpirun mpiexec srun sbatch qsub docker podman apptainer kubectl cmake cpack ctest python3 pip git curl tar sudo apt-get
printf echo cat cp mv rm mkdir ls head tail grep sed sort jq man ssh cd export source . for while if unset sleep wait test true xdg-open
jupyter mkdocs""".split())
ENVIRONMENT = re.compile(r"[A-Za-z_]\w*=")

# Why a command is not run, and what it must contain for that to be true.
REASONS = {
    "needs GPUs": r"nccl|cudnn|gpu|cuda",
    "needs Slurm": r"\b(srun|sbatch)\b|tests/slurm",
    "needs PBS": r"\bqsub\b",
    "needs Kubernetes": r"\bkubectl\b",
    "needs containers": r"\b(docker|podman|apptainer)\b",
    "needs several hosts": r"--hosts?\b|--hostfile\b|hostfile\.sh",
    "needs another MPI": r"MPI_CXX_COMPILER|--backend (oneccl|mylib)",
    "needs a network": r"\b(pip|git clone|curl)\b|get-oneccl",
    "needs root": r"scripts/lab |tests/slurm/cluster|\bsudo\b|check-packages",
    "needs PyTorch": r"pytorch",
    "installs packages": r"scripts/setup|\bsudo\b|apt-get|\bpip\b",
    "builds busbar": r"\bcmake\b|scripts/(quickstart|test|sanitize|check-smallest|check-fresh)|\bcpack\b",
    "takes half an hour": r"scripts/(vm|fabric|library)-study|scripts/nightly|scripts/gpu-carry|scripts/compare-",
    "a pattern": r"\.\.\.|\b[A-Z]{3,}\b",
    "opens a browser": r"xdg-open|jupyter|mkdocs serve",
}


class PageError(Exception):
    """One line: page:line: what is wrong."""


@dataclasses.dataclass
class Mark:
    kind: str
    value: str
    words: str  # applies to commands that contain these
    line: int
    used: bool = False


@dataclasses.dataclass
class Block:
    page: str
    line: int  # of the fence
    language: str
    lines: list[tuple[int, str]]
    marks: list[Mark]

    def text(self) -> str:
        return "".join(f"{line}\n" for _, line in self.lines)

    def marks_of(self, kind: str, text: str = "") -> list[Mark]:
        found = [m for m in self.marks if m.kind == kind and m.words in text]
        for mark in found:
            mark.used = True
        return found


@dataclasses.dataclass
class Command:
    page: str
    line: int
    text: str
    reasons: list[str]  # why it is not run; those that are true of it first
    nightly: bool = False
    exit_codes: set[int] = dataclasses.field(default_factory=lambda: {0})
    interrupted: bool = False  # ends by Ctrl-C

    def where(self) -> str:
        return f"{self.page}:{self.line}: {self.text}"


def split_mark(kind: str, value: str, line: int) -> Mark:
    head, _, words = value.partition(": ")
    return Mark(kind, value, "", line) if kind == "file" else Mark(kind, head.strip(), words.strip(), line)


def marks_above(lines: list[str], fence: int) -> list[Mark]:
    """Of the block whose fence is lines[fence]: comments directly above, of which others may be between marks."""
    marks, at = [], fence - 1
    while at >= 0 and COMMENT.match(lines[at]):
        if found := MARK.match(lines[at]):
            marks.append(split_mark(found[1], found[2], at + 1))
        at -= 1
    return marks[::-1]


def read_blocks(page: str, text: str) -> list[Block]:
    """Throws PageError for a block without end, and for a mark that is above none."""
    lines, blocks, open_block, fence, indent = text.split("\n"), [], None, "", 0
    marks = {number for number, line in enumerate(lines, 1) if MARK.match(line)}
    for number, line in enumerate(lines, 1):
        found = FENCE.match(line)
        if open_block is None and found:
            words = found[3].split()
            fence, indent = found[2], len(found[1])
            language = words[0].strip("{}.").lower() if words else ""
            open_block = Block(page, number, language, [], marks_above(lines, number - 1))
        elif open_block is not None and found and found[2].startswith(fence) and not found[3].strip():
            blocks.append(open_block)
            open_block = None
        elif open_block is not None:
            open_block.lines.append((number, line[indent:] if not line[:indent].strip() else line))
    if open_block is not None:
        raise PageError(f"{page}:{open_block.line}: the code block has no end")
    for number in sorted(marks - {m.line for b in blocks for m in b.marks}):
        if not any(b.line < number <= b.line + len(b.lines) for b in blocks):
            raise PageError(f"{page}:{number}: the mark is not directly above a code block")
    return blocks


def first_word(line: str) -> str:
    words = [word for word in line.replace("(", " ").split() if not ENVIRONMENT.match(word)]
    return words[0] if words else ""


def is_command(line: str) -> bool:
    word = first_word(line)
    return word in TOOLS or OURS.fullmatch(word) is not None or re.fullmatch(r"\.?[\w.-]+/bin/(python3?|pip)", word) is not None


def is_blank(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def is_complete(text: str) -> bool:
    """Whether bash sees whole commands in it: no open loop, quote or here-document."""
    done = subprocess.run(["bash", "-n"], input=text + "\n", capture_output=True, text=True, check=False)
    return done.returncode == 0 and not done.stderr


def whole_commands(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Joins lines over backslashes, loops and here-documents."""
    commands: list[tuple[int, str]] = []
    begun: tuple[int, str] | None = None
    for number, line in lines:
        if begun is None and is_blank(line):
            continue
        begun = (begun[0], f"{begun[1]}\n{line}") if begun else (number, line)
        text = begun[1]
        if not text.rstrip().endswith("\\") and (not re.search(r"<<|['\"]|^\s*(for|while|if|case|\w+\(\)|[({])", text) or is_complete(text)):
            commands.append((begun[0], text.replace("\\\n", " ")))
            begun = None
    if begun:
        commands.append(begun)
    return commands


def command_lines(block: Block) -> list[tuple[int, str]]:
    """Lines with the prompt "$ " where the block has it, and all lines otherwise."""
    if any(line.startswith("$ ") for _, line in block.lines):
        kept: list[tuple[int, str]] = []
        for number, line in block.lines:
            if line.startswith("$ "):
                kept.append((number, line[2:]))
            elif kept and kept[-1][0] == number - 1 and kept[-1][1].rstrip().endswith("\\"):
                kept.append((number, line))
        return kept
    lines = [line for _, line in block.lines if not is_blank(line)]
    if block.language in SHELL or (block.language == "" and lines and is_command(lines[0])):
        return block.lines
    return []


def commands_of(block: Block) -> list[Command]:
    """Throws PageError for a line that is no command, a reason that is not allowed, and a mark for nothing."""
    place = f"{block.page}:{block.line}"
    if block.language not in SHELL | PLAIN | DATA:
        raise PageError(f"{place}: unknown language '{block.language}' of a code block; accepted: {', '.join(sorted(SHELL | PLAIN | DATA - {''}))}")
    found, is_data = [], bool(block.marks_of("file")) or block.language in DATA
    for number, text in [] if is_data else whole_commands(command_lines(block)):
        if not is_command(text):
            raise PageError(f"{block.page}:{number}: '{text}' is no command; put '$ ' before the commands of a block that has output, or mark "
                            "the block as ```text")
        given = [reason for mark in block.marks_of("not run", text) for reason in mark.value.split(", ")]
        command = Command(block.page, number, text, sorted(given, key=lambda reason: not re.search(REASONS.get(reason, ""), text)))
        command.nightly = any(m.value == "nightly" for m in block.marks_of("run", text))
        command.interrupted = bool(block.marks_of("ends by", text))
        for mark in block.marks_of("exit code", text):
            command.exit_codes = {int(code) for code in re.findall(r"\d+", mark.value)}
        found.append(command)
    check_marks(block, found)
    return found


def check_marks(block: Block, commands: list[Command]) -> None:
    """Throws PageError."""
    if block.language == "python":
        block.marks_of("not run"), block.marks_of("run")
    for mark in block.marks:
        place = f"{block.page}:{mark.line}: mark '{mark.kind}: {mark.value}'"
        if not mark.used:
            raise PageError(f"{place}: no command below{f' with {mark.words!r}' if mark.words else ''} to which it applies")
        accepted = {"run": r"nightly", "ends by": r"Ctrl-C", "exit code": r"\d+( or \d+)*"}.get(mark.kind, "")
        if not re.fullmatch(accepted or ".+", mark.value):
            raise PageError(f"{place}: accepted: {accepted}")
        if mark.kind == "not run":
            check_reasons(place, mark.value.split(", "), [c.text for c in commands if mark.words in c.text] or [block.text()])


def check_reasons(place: str, reasons: list[str], commands: list[str]) -> None:
    """Each reason is known and true of a command, and each command has one. Throws PageError."""
    unknown = [reason for reason in reasons if reason not in REASONS]
    if unknown:
        raise PageError(f"{place}: unknown reason '{unknown[0]}'; accepted: {', '.join(REASONS)}")
    true = {(reason, text) for reason in reasons for text in commands if re.search(REASONS[reason], text)}
    for reason in reasons:
        if not any((reason, text) in true for text in commands):
            raise PageError(f"{place}: '{reason}' applies to none of the commands below")
    for text in commands:
        if not any((reason, text) in true for reason in reasons):
            raise PageError(f"{place}: the reason does not apply to: {text}")


def simple_commands(text: str) -> list[list[str]]:
    """Words of each command of a line: split at pipes, && and the like; redirections stay."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace, lexer.whitespace_split = " \t\r", True
    groups: list[list[str]] = [[]]
    for word in lexer:
        if re.fullmatch(r"[();|&\n]+", word):
            groups.append([])
        else:
            groups[-1].append(word)
    return [group for group in groups if group]


def read_pages(source: pathlib.Path) -> list[tuple[str, list[Block]]]:
    """Every page of the documentation with its blocks."""
    pages = [source / "README.md", *sorted((source / "docs").rglob("*.md"))]
    return [(name, read_blocks(name, page.read_text(encoding="utf-8")))
            for page in pages for name in [page.relative_to(source).as_posix()]]
