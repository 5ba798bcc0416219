#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Any two line colours of the page differ by a CIEDE2000 distance of at least 12, for readers with full colour vision and
with protanopia, deuteranopia and tritanopia, in both themes; each has a contrast of at least 3:1 against the card.

usage: palette_test.py PAGE_CSS

Dichromats are simulated by the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation
of Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (6), 2009, severity 1, on linear
RGB. CIEDE2000 is computed as in Sharma, Wu and Dalal, Color Research and Application 30 (1), 2005, and checked with
their test data. Contrast is that of WCAG 2.
"""
import itertools
import math
import pathlib
import re
import sys

LEAST_DISTANCE, LEAST_CONTRAST, LINES = 12, 3, 8
VISION = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
SHARMA = (  # pairs of Lab and their distance, some of the published test data
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
    ((50, 2.5, 0), (73, 25, -18), 27.1492), ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082))


def linear(colour: str) -> list[float]:
    """Linear RGB, 0 to 1, of #rrggbb."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def seen(rgb: list[float], matrix) -> list[float]:
    return [min(1, max(0, sum(a * b for a, b in zip(row, rgb)))) for row in matrix]


def lab(rgb: list[float]) -> tuple[float, float, float]:
    """CIE Lab for the white point D65."""
    rows = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    x, y, z = (sum(a * b for a, b in zip(row, rgb)) / white for row, white in zip(rows, (0.95047, 1, 1.08883)))
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other) -> float:
    """CIEDE2000 of two colours in Lab."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    grey = 0.5 * (1 - math.sqrt(1 / (1 + (25 / max(1e-9, (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2)) ** 7)))
    a1, a2 = a1 * (1 + grey), a2 * (1 + grey)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0
    dl, dc, dh = l2 - l1, c2 - c1, 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    h = h1 + turn / 2 if c1 * c2 else h1 + h2
    t = sum(factor * math.cos(math.radians(times * h + by)) for factor, times, by in (
        (-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))) + 1
    sl, sc, sh = 1 + 0.015 * (l - 50) ** 2 / math.sqrt(20 + (l - 50) ** 2), 1 + 0.045 * c, 1 + 0.015 * c * t
    around_blue = 30 * math.exp(-(((h % 360 - 275) / 25) ** 2))
    rotation = -math.sin(math.radians(2 * around_blue)) * 2 * math.sqrt(1 / (1 + (25 / max(1e-9, c)) ** 7))
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rotation * dc / sc * dh / sh)


def contrast(one: str, other: str) -> float:
    dark, light = sorted(sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(c))) for c in (one, other))
    return (light + 0.05) / (dark + 0.05)


def themes(css: str) -> dict[str, dict[str, str]]:
    """Colours by name; the dark theme redefines those of the light one."""
    light, dark = (dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6})", part)) for part in re.findall(r":root \{([^}]*)\}", css)[:2])
    return {"light": light, "dark": light | dark}


def faults(theme: str, colours: dict[str, str]) -> list[str]:
    names = [f"--line-{i}" for i in range(LINES)]
    found = [f"{theme}: {name} has a contrast of {ratio:.2f}:1 against the card, at least {LEAST_CONTRAST}:1 is needed"
             for name in names if (ratio := contrast(colours[name], colours["--card"])) < LEAST_CONTRAST]
    for vision, matrix in VISION.items():
        places = {name: lab(seen(linear(colours[name]), matrix)) for name in names}
        found += [f"{theme}: {a} and {b} are {apart:.1f} apart with {vision} vision, at least {LEAST_DISTANCE} are needed"
                  for a, b in itertools.combinations(names, 2) if (apart := distance(places[a], places[b])) < LEAST_DISTANCE]
    return found


def main(css: pathlib.Path) -> None:
    for one, other, expected in SHARMA:
        if abs(distance(one, other) - expected) > 1e-4:
            sys.exit(f"palette_test: CIEDE2000 of {one} and {other} is {distance(one, other):.4f}, not {expected}")
    found = [fault for theme, colours in themes(css.read_text(encoding="utf-8")).items() for fault in faults(theme, colours)]
    if found:
        sys.exit("\n".join(["palette_test:", *found]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__.strip())
        sys.exit(2)
    main(pathlib.Path(sys.argv[1]))
