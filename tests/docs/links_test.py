#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files, headings and paths in `code` that the documentation names are in the tree.

usage: links_test.py SOURCE_FOLDER
Where the folder is a git checkout, a file that git does not track counts as missing.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)
PATH = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+/?")
PLACEHOLDER = re.compile(r"[A-Z]{3}")  # fuzz_NAME.cpp
SPELT_SO = re.compile(r"README|CMakeLists")


def tracked_files(source: pathlib.Path) -> set[str] | None:
    done = subprocess.run(["git", "-C", source, "ls-files", "-z"], capture_output=True, text=True)
    return set(filter(None, done.stdout.split("\0"))) if done.returncode == 0 else None


def slug(heading: str) -> str:
    """As GitHub names a heading's anchor."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


class Tree:
    def __init__(self, source: pathlib.Path) -> None:
        self.source = source.resolve()
        self.files = tracked_files(source)
        self.top = {path.split("/")[0] for path in self.files or () if "/" in path}
        if self.files is None:
            self.top = {path.name for path in source.iterdir() if path.is_dir()}

    def has(self, path: str) -> bool:
        """A file or a folder, from the root of the tree."""
        if not (self.source / path).exists():
            return False
        return self.files is None or path == "." or path in self.files or any(f.startswith(path.rstrip("/") + "/") for f in self.files)

    def pages(self) -> list[pathlib.Path]:
        names = sorted(self.files) if self.files is not None else [str(p.relative_to(self.source)) for p in self.source.rglob("*.md")]
        return [self.source / n for n in names if n.endswith(".md") and not n.startswith(("tests/golden/", "build"))]

    def check_link(self, page: pathlib.Path, link: str) -> str:
        """Why it leads nowhere; empty where it does not."""
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.is_relative_to(self.source):
            return "leads out of the tree"
        if not self.has(str(target.relative_to(self.source))):
            return "git does not track it" if target.exists() else "no such file in the tree"
        if anchor and anchor not in {slug(h) for h in HEADING.findall(FENCE.sub("", target.read_text(encoding="utf-8")))}:
            return "no such heading"
        return ""

    def problems(self, page: pathlib.Path) -> list[str]:
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        found = [(link, self.check_link(page, link)) for link in LINK.findall(CODE.sub("", text)) if "://" not in link]
        for path in CODE.findall(text):
            if PATH.fullmatch(path) and path.split("/")[0] in self.top and not PLACEHOLDER.search(SPELT_SO.sub("", path)):
                found.append((path, "" if self.has(path) else "no such path in the tree"))
        return [f"{page.relative_to(self.source)}: {what}: {why}" for what, why in found if why]


def check_itself() -> None:
    """Finds what is missing in a made-up tree, and nothing else."""
    with tempfile.TemporaryDirectory() as name:
        source = pathlib.Path(name)
        (source / "docs").mkdir()
        (source / "docs/there.md").write_text("# A `heading`, in words\n")
        (source / "README.md").write_text(
            "[a](docs/there.md) [b](docs/there.md#a-heading-in-words) [c](https://example.org) `docs/there.md` `docs/NAME.md`\n"
            "[d](docs/gone.md) [e](docs/there.md#gone) [f](../gone.md) `docs/gone.md`\n```\n[g](gone.md)\n```\n")
        found = Tree(source).problems(source / "README.md")
        expected = ["docs/gone.md: no such file in the tree", "docs/there.md#gone: no such heading", "../gone.md: leads out of the tree",
                    "docs/gone.md: no such path in the tree"]
        if found != [f"README.md: {line}" for line in expected]:
            sys.exit(f"links_test.py itself is wrong: {found}")


def main(source: pathlib.Path) -> int:
    check_itself()
    tree = Tree(source)
    pages = tree.pages()
    found = [problem for page in pages for problem in tree.problems(page)]
    print("\n".join(found) if found else f"{len(pages)} pages: all that they link is there")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
