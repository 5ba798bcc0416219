#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CMakeLists.txt, CHANGELOG.md, CITATION.cff, python/pyproject.toml and the programs name one version, and the changelog keeps its format.

usage: release_test.py BUSBAR SOURCE_FOLDER
"""
import pathlib
import re
import subprocess
import sys

SECTION = re.compile(r"^## \[(\d+)\.(\d+)\.(\d+)\] - (\S+)$")
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def changelog_problems(text: str, version: str) -> list[str]:
    """What Keep a Changelog would not have."""
    found, versions = [], []
    for line in text.splitlines():
        if line.startswith("## "):
            section = SECTION.match(line)
            if not section:
                found.append(f"CHANGELOG.md: '{line}' is not '## [1.2.3] - DATE'")
                continue
            versions.append(tuple(map(int, section.groups()[:3])))
            when = section[4]
            if not DATE.fullmatch(when) and not (when == "unreleased" and len(versions) == 1):
                found.append(f"CHANGELOG.md: '{line}': no date; only the first section may be unreleased")
        elif line.startswith("### ") and line[4:] not in KINDS:
            found.append(f"CHANGELOG.md: '{line}' is none of {', '.join(KINDS)}")
    if versions != sorted(set(versions), reverse=True):
        found.append("CHANGELOG.md: versions do not go down")
    first = ".".join(map(str, versions[0])) if versions else "no version"
    return found if first == version else [*found, f"CHANGELOG.md begins with {first}, CMakeLists.txt has {version}"]


def citation_problems(text: str, version: str) -> list[str]:
    needed = ("cff-version", "message", "title", "authors", "version", "license")
    found = [f"CITATION.cff: no {key}" for key in needed if not re.search(rf"^{key}:", text, re.MULTILINE)]
    cited = re.search(r"^version: (\S+)$", text, re.MULTILINE)
    return found + ([] if cited and cited[1] == version else [f"CITATION.cff: version is not {version}"])


def check_itself() -> None:
    """What is wrong is found."""
    good = "## [1.10.0] - unreleased\n### Added\n## [1.9.0] - 2026-01-31\n### Fixed\n"
    wrong = (("unreleased", "soon"), ("2026-01-31", "unreleased"), ("1.9.0", "1.11.0"), ("Fixed", "Mended"), ("[1.9.0]", "1.9.0"))
    if changelog_problems(good, "1.10.0") or not changelog_problems(good, "1.9.0"):
        sys.exit("release_test.py itself is wrong")
    for old, new in wrong:
        if not changelog_problems(good.replace(old, new), "1.10.0"):
            sys.exit(f"release_test.py itself is wrong: '{new}' is not found")


def main(busbar: str, source: pathlib.Path) -> int:
    check_itself()
    read = lambda name: (source / name).read_text(encoding="utf-8")
    version = re.search(r"project\(busbar VERSION (\S+)", read("CMakeLists.txt"))[1]
    found = changelog_problems(read("CHANGELOG.md"), version) + citation_problems(read("CITATION.cff"), version)
    if f'\nversion = "{version}"\n' not in read("python/pyproject.toml"):
        found.append(f"python/pyproject.toml: version is not {version}")
    said = subprocess.run([busbar, "--version"], check=True, capture_output=True, text=True).stdout
    if not said.startswith(f"busbar {version} ("):
        found.append(f"busbar --version prints {said.strip()}, CMakeLists.txt has {version}")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
