#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same_weights.py RECORD...: all cases of these records ended with the same weights."""
import json
import pathlib
import sys


def main() -> int:
    rows = [json.loads(line) for file in sys.argv[1:] for line in pathlib.Path(file).read_text().splitlines()]
    hashes = [(case["key"]["training"]["overlap"], case["training"]["weights_hash"]) for case in rows if case["record"] == "case"]
    print(hashes)
    return 0 if len(hashes) >= len(sys.argv) and len({weights for _, weights in hashes}) == 1 and hashes[0][1] else 1


if __name__ == "__main__":
    sys.exit(main())
