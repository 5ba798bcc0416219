#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Git tracks at most 2,400 files of 14 MB in total, and nothing that scripts/render-examples makes.

usage: light_tree_test.py SOURCE_FOLDER
Exit code 77 where the folder is no git checkout.
"""
import pathlib
import subprocess
import sys

MOST_FILES = 2400
MOST_BYTES = 14_000_000


def main(source: pathlib.Path) -> int:
    done = subprocess.run(["git", "-C", source, "ls-files", "-z"], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"skipped: {source} is no git checkout")
        return 77
    files = [source / name for name in done.stdout.split("\0") if name]
    sizes = sorted(((file.lstat().st_size, file) for file in files if file.exists()), reverse=True)
    total = sum(size for size, _ in sizes)
    print(f"{len(sizes)} files, {total / 1e6:.2f} MB")
    made = [file for file in files if file.match("reports/examples/*/report.html")]
    for file in made:
        print(f"{file.relative_to(source)} is tracked; scripts/render-examples makes it")
    if len(sizes) <= MOST_FILES and total <= MOST_BYTES:
        return 1 if made or not sizes else 0
    print(f"more than {MOST_FILES} files or {MOST_BYTES / 1e6:.1f} MB; the largest:")
    for size, file in sizes[:10]:
        print(f"{size:10} {file.relative_to(source)}")
    return 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
