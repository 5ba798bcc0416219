#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the JavaScript that draws the charts of reports: vega, vega-lite and vega-embed in one file.

usage: chart_bundle.py OUT

The source is the wheel vl-convert-python, in the version that requirements.txt beside this file pins. Exit code 1 if
this Python does not have that wheel.
"""
import importlib.metadata
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
pinned = re.search(r"^vl-convert-python==(\S+)", (here / "requirements.txt").read_text(), re.MULTILINE).group(1)


def main(out: pathlib.Path) -> None:
    try:
        have = importlib.metadata.version("vl-convert-python")
    except importlib.metadata.PackageNotFoundError:
        have = "none"
    if have != pinned:
        sys.exit(f"chart_bundle.py: needs vl-convert-python {pinned}, {sys.executable} has {have}")
    import vl_convert

    notice = (here / "chart_bundle_notice.txt").read_text()
    made = out.with_suffix(".tmp")
    made.write_text(f"/*!\n{notice}*/\n{vl_convert.javascript_bundle()}\n", encoding="utf-8")
    made.replace(out)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if "--help" in sys.argv else 2)
    main(pathlib.Path(sys.argv[1]))
