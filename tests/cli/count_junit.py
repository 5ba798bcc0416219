#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""count_junit.py FILE: test cases of a JUnit file, and the failures and skipped ones that it says it has."""
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
print(len(root.findall(".//testcase")), root.get("failures"), root.get("skipped"))
