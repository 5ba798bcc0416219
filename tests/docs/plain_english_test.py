#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages, sources and scripts have none of the phrases that readers stumbled over. Each has a plain form.

usage: plain_english_test.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

# Phrase as a regular expression, without regard to case and line breaks: plain form
PLAIN = {
    r"\d+ of \d+ looks|far apart at \{": "3 of 109 checks found ranks on distant CPUs",
    r"sampled until that": "half-width of the 95 % confidence interval; target 2 %",
    r"half the width of its 95 %": "half-width of the 95 % confidence interval",
    r"% of the time was taken|at most at once": "75.7 % of CPU time lost; longest interruption 20.1 ms",
    r"waited \S+ ?%? of the time for (a|its|their) CPUs?": "ranks were runnable but not running 78 % of the time",
    r"resemble each other": "successive rounds are correlated (r = 0.4)",
    r"counts? \S+ rounds as": "96 rounds count as 15",
    r"something else disturbed": "other processes interfered with the measurement",
    r"\bbears? (short|a few|brief)": "medians and intervals tolerate short disturbances",
    r"as wide as wanted": "missed the target precision by more than 2x",
    r"as the sizes beside it": "slower than its neighbouring sizes predict",
    r"has two states: rounds": "is bimodal: rounds are either fast or slow",
    r"what stands out": "Findings",
    r"what ran where": "Runs",
    r"what one rank does": "Per-rank compute performance",
    r"several numbers speak for|known: the record": "Confirmed: shown by the record. Likely: several figures agree",
    r"where a step of": "Step time breakdown",
    r"is in no bar": "hidden communication is not drawn; see the tooltip",
    r"\bin what the\b|most telling": "Environment differences, most relevant first",
    r"by this a difference": "This can show a difference",
    r"change for good": "No lasting change found",
    r"share of the rounds not longer": "cumulative fraction of rounds (CDF)",
    r"\bnobody, a profile": "no compute; sleep for the times in a profile",
    r"\btold apart\b|\btells? (them|these|those|\w+ and \w+) apart": "distinguished by; number of image classes",
    r"\bso many\b": "the number, or 'that many'",
    r"what goes between every two": "latency and bandwidth between every pair of hosts or ranks",
    r"exactly this many samples": "fixed number of samples per case",
    r"\bheld against\b|\b(hold|holds|holding) ([^.;|]{1,40} )?against\b": "compared with",
    r"told by where": "inferred from the line's position",
    r"\bastray\b|without a word\b": "silently corrupts",
    r"to whose\b": "two sentences",
    r"\btold once\b": "from one list",
    r"\bsay of\b": "document",
    r"those who carry on": "document known hangs and object lifetimes",
    r"and (their|its) kin\b": "and others",
    r"evidence kept": "with raw samples kept, in one report",
    r"\b(to be|cannot be|can be|is) had\b": "available",
    r"\b(there is )?no telling\b": "unknown",
    r"\bthis is asked for\b": "requested",
    r"come to the end\b": "did not finish",
}
PHRASES = [(re.compile(r"\s+(?:(?:///?|#|\*)\s+)?".join(phrase.split(" ")), re.IGNORECASE), plain) for phrase, plain in PLAIN.items()]
FOLDERS = ("docs", "reports", "bench", "core", "workloads", "preflight", "scripts", "include", "examples", "packaging", ".github", ".ci")
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "AGENTS.md", "mkdocs.yml", "CMakeLists.txt")
SUFFIXES = {".md", ".cpp", ".hpp", ".h", ".c", ".cu", ".cuh", ".py", ".sh", ".js", ".css", ".txt", ".cmake", ".yml", ".yaml", ""}
# Published logs and tables, records, and reports with text from records of earlier versions
NOT_OURS = re.compile(r"reports/examples/[^/]+/")


def found_in(text: str) -> list[tuple[int, str, str]]:
    """Line, phrase and plain form of each phrase."""
    hits = [(text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), plain)
            for phrase, plain in PHRASES for match in phrase.finditer(text)]
    return sorted(hits)


def files(source: pathlib.Path) -> list[pathlib.Path]:
    inside = [path for folder in FOLDERS for path in (source / folder).rglob("*") if path.is_file() and path.suffix in SUFFIXES]
    kept = [path for path in inside if "__pycache__" not in path.parts and not NOT_OURS.search(str(path))]
    return [source / page for page in PAGES] + sorted(kept)


def check_itself() -> None:
    """Each phrase is found, across lines and in comments, and plain text has none."""
    samples = ("collectives and their\nkin", "/// Figures held\n/// against others", "3 of 109 looks", "No change for good in x", "It took so many seconds")
    missed = [sample for sample in samples if len(found_in(sample)) != 1]
    false = [plain for plain in PLAIN.values() if found_in(plain)]
    if missed or false or found_in("compare X with Y, one of many")[:1]:
        sys.exit(f"plain_english_test.py itself is wrong: {missed} {false}")


def main(source: pathlib.Path) -> int:
    check_itself()
    searched = files(source)
    found = [f"{path.relative_to(source)}:{line}: '{phrase}'; plain: {plain}"
             for path in searched for line, phrase, plain in found_in(path.read_text(encoding="utf-8", errors="replace"))]
    print("\n".join(found) if found else f"{len(searched)} files: none of {len(PHRASES)} phrases")
    return 1 if found or len(searched) < 500 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
