# SPDX-License-Identifier: Apache-2.0
"""Compares the statistics of scripts/launches.py with known values."""
import argparse
import unittest

import launches


class Launches(unittest.TestCase):
    def test_interval_of_the_median(self) -> None:
        # Ranks from the table of Le Boudec, Performance Evaluation of Computer and Communication Systems, appendix A.
        self.assertIsNone(launches.median_interval([1.0, 2.0, 3.0, 4.0, 5.0]))
        for n, ranks in ((6, (1, 6)), (10, (2, 9)), (20, (6, 15)), (30, (10, 21)), (70, (27, 44))):
            self.assertEqual(launches.median_interval([float(i) for i in range(n, 0, -1)]), ranks, n)

    def test_half_width_and_variation(self) -> None:
        self.assertAlmostEqual(launches.half_width((98.0, 102.0)), 0.02)
        self.assertIsNone(launches.half_width(None))
        self.assertAlmostEqual(launches.variation([1.0, 2.0, 3.0]), 0.5)
        self.assertIsNone(launches.variation([1.0]))
        self.assertAlmostEqual(launches.usual_variation([0.9, 1.0, 1.1, 1.0, 9.0]), 0.14826)
        self.assertIsNone(launches.usual_variation([1.0]))

    def test_sizes(self) -> None:
        self.assertEqual(launches.size_list("8,64k,1M,2G"), [8, 65536, 1 << 20, 2 << 30])
        for size, name in ((8, "8"), (1000, "1000"), (1024, "1K"), (1536, "1536"), (64 << 20, "64M")):
            self.assertEqual(launches.size_name(size), name)
        self.assertEqual(launches.doubling(8, 70), [8, 16, 32, 64])
        for wrong in ("", "K", "3", "-8", "8Q", "1.5K"):
            self.assertRaises(argparse.ArgumentTypeError, launches.size, wrong)

    def test_disturbed_visits_do_not_count(self) -> None:
        usual = [launches.Visit(1.0, 2.0, 0.5)] * 9
        slowed, far = launches.Visit(1.4, 2.3, 0.5), launches.Visit(2.0, 2.0, 1.0)
        counts = launches.undisturbed([slowed, *usual, far])
        self.assertEqual([counts(v) for v in (usual[0], slowed, far)], [True, False, False])
        self.assertIsNone(launches.time_of(usual[:2]))
        self.assertEqual(launches.time_of([*usual[:3], slowed]), 1.0)

    def test_alternation(self) -> None:
        order = [name for name, _ in launches.alternating(3, {"a": lambda doing: None, "b": lambda doing: None})]
        self.assertEqual("".join(order), "abbaab")


unittest.main()
