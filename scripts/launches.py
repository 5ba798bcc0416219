# SPDX-License-Identifier: Apache-2.0
"""Shared by the compare-* scripts: alternating launches under mpirun, progress, intervals, verdict."""
import argparse
import contextlib
import json
import math
import os
import pathlib
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import typing
from collections.abc import Callable, Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = pathlib.Path(sys.argv[0]).name


def size(text: str) -> int:
    """Bytes: 8, 64K, 1M (binary, as busbar-bench reads them)."""
    try:
        unit = "KMG".find(text[-1:].upper()) + 1 if text[-1:].isalpha() else 0
        value = int(text[:-1] if unit else text) << 10 * unit
    except ValueError:
        value = 0
    if value < 4:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size: bytes from 4, or with K, M or G (8, 64K, 1M)")
    return value


def size_list(text: str) -> list[int]:
    return [size(word) for word in text.split(",")]


def size_name(value: int) -> str:
    for unit, shift in (("G", 30), ("M", 20), ("K", 10)):
        if value >= 1 << shift and value % (1 << shift) == 0:
            return f"{value >> shift}{unit}"
    return str(value)


def doubling(low: int, high: int) -> list[int]:
    if low > high:
        sys.exit(f"{NAME}: --min {size_name(low)} is larger than --max {size_name(high)}")
    return [low << i for i in range((high // low).bit_length())]


def number(least: float, whole: bool = False) -> Callable[[str], float]:
    """An argparse type: a finite number of at least `least`."""
    def read(text: str) -> float:
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = math.nan
        if not least <= value < math.inf:
            raise argparse.ArgumentTypeError(f"'{text}' is not a {'whole ' if whole else ''}number from {least:g}")
        return value
    return read


def add_busy(parser: argparse.ArgumentParser, default: int) -> None:
    """Adds --busy, the count for busy_loops()."""
    parser.add_argument("--busy", type=number(0, whole=True), default=default, metavar="N",
                        help=f"busy loops beside the ranks ({default})")


@contextlib.contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Runs `count` shells that only use CPU; ends them on exit."""
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def falls(times: dict[int, float]) -> set[int]:
    """False steps: sizes whose double is more than 20 % faster."""
    return {s for s in times if times.get(2 * s, times[s]) < 0.8 * times[s]}


def options(doc: str, launches: int, program: str = "busbar-bench: '--noise 0 --min-rounds 8'",
            ranks: int | None = None, default_ranks: int = 2) -> argparse.ArgumentParser:
    """Options of all compare-* scripts; without --np if the number of ranks is given here."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    count = number(1, whole=True)
    parser.add_argument("--launches", type=count, default=launches, help=f"launches of each program ({launches})")
    if ranks is None:
        parser.add_argument("--np", type=count, default=default_ranks, help=f"ranks ({default_ranks})")
    else:
        parser.set_defaults(np=ranks)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin", help="folder of the programs")
    parser.add_argument("--mpirun", default="mpirun", help="launcher and its options: 'mpirun --bind-to core'")
    parser.add_argument("--busbar", default="", help=f"more options for {program}")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all numbers to FILE")
    parser.add_argument("--no-bars", action="store_true", help="ignore bars: exit 0")
    return parser


class Launcher:
    """Runs programs under mpirun, one after the other, with a progress line where standard error is a terminal."""

    def __init__(self, want: argparse.Namespace, *programs: str) -> None:
        self._want = want
        if want.json:
            write(want.json, "", "a")  # fail now, not after half an hour
        for program in programs:
            if not (want.bin / program).is_file():
                sys.exit(f"{NAME}: no {want.bin / program}; build it: cmake --preset release -DBUILD_TESTING=ON && "
                         f"cmake --build --preset release --target {' '.join(programs)}")
        self.environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def run(self, doing: str, program: str | pathlib.Path, *arguments: object) -> tuple[str, float]:
        """Standard output, and seconds from start to end of mpirun. `program`: a name in --bin, or an absolute path."""
        return self._execute([*shlex.split(self._want.mpirun), "-np", str(self._want.np), str(self._want.bin / program),
                              *map(str, arguments)], doing)

    def cases(self, doing: str, program: str | pathlib.Path, *arguments: object) -> tuple[list[dict], float]:
        """Cases of one run of a program that writes a record, and seconds from start to end of mpirun."""
        cases, wall = self.all_cases(doing, program, *arguments)
        if not cases or any(c["status"] != "ok" for c in cases):
            sys.exit(f"{NAME}: {program} {' '.join(map(str, arguments))} did not measure every case")
        return cases, wall

    def all_cases(self, doing: str, program: str | pathlib.Path, *arguments: object) -> tuple[list[dict], float]:
        """Like cases(), including cases that did not finish."""
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "run.jsonl"
            _, wall = self.run(doing, program, *arguments, *shlex.split(self._want.busbar), "--out", out)
            cases = read_cases(out)
        return cases, wall

    def _execute(self, command: list[str], doing: str) -> tuple[str, float]:
        begin = time.monotonic()
        environment = getattr(self, "environment", None)
        try:
            child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True)
        except OSError as error:
            sys.exit(f"{NAME}: cannot run {command[0]}: {error.strerror}")
        try:
            while True:
                try:
                    out, err = child.communicate(timeout=1)
                    break
                except subprocess.TimeoutExpired:
                    progress(f"{doing}, {time.monotonic() - begin:.0f} s")
        except KeyboardInterrupt:
            child.terminate()  # mpirun ends its ranks
            child.communicate()
            raise
        wall = time.monotonic() - begin
        progress("")
        if child.returncode != 0:
            sys.exit(f"{NAME}: {shlex.join(command)} gave {child.returncode}:\n{out}{err}")
        return out, wall


def read_cases(path: pathlib.Path) -> list[dict]:
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [r for r in records if r["record"] == "case"]


def write(path: pathlib.Path, text: str, mode: str = "w") -> None:
    try:
        with path.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        sys.exit(f"{NAME}: --json: cannot write {path}: {error.strerror}")


def progress(text: str) -> None:
    """Replaces the progress line; "" removes it."""
    if sys.stderr.isatty():
        print(f"\r\033[K{NAME + ': ' + text if text else ''}", end="", file=sys.stderr, flush=True)


def alternating(launches: int, programs: dict[str, Callable[[str], object]]) -> Iterator[tuple[str, object]]:
    """Launches programs A B B A ...; yields each name and its launch's result."""
    order = list(programs)
    for i in range(launches):
        for name in order if i % 2 == 0 else reversed(order):
            yield name, programs[name](f"{name}, launch {i + 1} of {launches}")


def median_interval(values: list[float], confidence: float = 0.95) -> tuple[float, float] | None:
    """Interval of the median by order statistics: at least `confidence` for any distribution. None: too few values."""
    values, n, outside, k = sorted(values), len(values), 0.0, -1
    while True:
        outside += 2 * math.comb(n, k + 1) / 2**n
        if outside > 1 - confidence:
            return (values[k], values[n - 1 - k]) if k >= 0 else None
        k += 1


class Visit(typing.NamedTuple):
    """Of one case: the median of its samples, the pace of the slowest CPU, and the barrier before the round (0: not
    measured), all in seconds."""
    time_s: float
    pace_s: float
    barrier_s: float


SLOWED, FAR, ENOUGH = 1.1, 1.8, 3  # as in core/statistics/undisturbed.hpp and reports/repeat/pooled_cases.cpp


def undisturbed(visits: list[Visit]) -> Callable[[Visit], bool]:
    """Which visits count: those with all CPUs at full pace and near each other, compared with the 2nd percentile of all."""
    def least(values: list[float]) -> float:
        return sorted(values)[len(values) // 50]

    pace_s, barrier_s = least([v.pace_s for v in visits]), least([v.barrier_s for v in visits])
    return lambda v: v.pace_s <= SLOWED * pace_s and v.barrier_s <= FAR * barrier_s


def time_of(visits: list[Visit]) -> float | None:
    """Median time in seconds; None for fewer than ENOUGH visits."""
    return statistics.median(v.time_s for v in visits) if len(visits) >= ENOUGH else None


def half_width(interval: tuple[float, float] | None) -> float | None:
    """Half-width relative to the middle of the interval."""
    return (interval[1] - interval[0]) / (interval[1] + interval[0]) if interval else None


def variation(values: list[float]) -> float | None:
    """Coefficient of variation: sample standard deviation over mean. None for one value."""
    return statistics.stdev(values) / statistics.fmean(values) if len(values) > 1 else None


def usual_variation(values: list[float]) -> float | None:
    """Median absolute deviation over median, scaled to a standard deviation of normal values: tolerates a few
    outliers. None for one value."""
    if len(values) < 2:
        return None
    middle = statistics.median(values)
    return 1.4826 * statistics.median(abs(v - middle) for v in values) / middle


def cell(value: float | None, form: str, width: int) -> str:
    return f"{'-' if value is None else format(value, form):>{width}}"


def path_list(known: tuple[str, ...]) -> Callable[[str], list[str]]:
    """An argparse type: a list of these paths, each at most once."""
    def parse(text: str) -> list[str]:
        words = text.split(",")
        for word in words:
            if word not in known or words.count(word) > 1:
                raise argparse.ArgumentTypeError(f"'{text}' is no list of paths: each once of {', '.join(known)}")
        return words
    return parse


def absolute_python(python: str) -> str:
    """Links are not resolved: a venv is recognised by the path of its python."""
    return str(pathlib.Path(shutil.which(python) or python).absolute())


def why_no_torch(python: str, step: pathlib.Path) -> str | None:
    """Why `step --version` cannot run; None if it can."""
    try:
        child = subprocess.run([python, step, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError as error:
        return f"cannot run it: {error.strerror}"
    if child.returncode == 0:
        return None
    return (child.stderr.strip().splitlines() or [f"exit code {child.returncode}"])[-1]


def short(value: float, width: int) -> str:
    return f"{value:>{width}.{3 if value < 1000 else 1}f}"


def print_rates(batch: int, step_s: dict[str, list[float]]) -> dict[str, dict]:
    """Prints one line per program, busbar first; returns rates, ratios to busbar and their intervals. `batch`: of all
    ranks."""
    rates = {name: [batch / s for s in seconds] for name, seconds in step_s.items()}
    print(f"{'':<15} {'images/s':>9} {'spread':>7} {'step (ms)':>10} {'busbar / it':>12}  95 % interval")
    rows = {}
    for name, values in rates.items():
        ratios = [ours / theirs for ours, theirs in zip(rates["busbar"], values)]
        ratio, interval = statistics.median(ratios), median_interval(ratios)
        rows[name] = {"images_per_s": values, "step_s": step_s[name]}
        rate, step_ms = statistics.median(values), statistics.median(step_s[name]) * 1e3
        line = f"{name:<15} {short(rate, 9)} {cell(variation(values), '.1%', 7)} {short(step_ms, 10)}"
        if name != "busbar":
            rows[name] |= {"ratio": ratio, "interval": interval}
            line += f" {ratio:>12.3f}  " + (f"{interval[0]:.3f} to {interval[1]:.3f}" if interval
                                            else "- (needs 6 launches)")
        print(line)
    return rows


def fastest_of(want: argparse.Namespace, step_s: dict[str, list[float]]) -> str:
    return min(want.paths, key=lambda path: statistics.median(step_s[path]))


def finish_rates(want: argparse.Namespace, step_s: dict[str, list[float]], facts: dict, **more: object) -> int:
    """Prints the rates and compares busbar with the fastest path; returns the exit code. `more` goes to --json."""
    rows = print_rates(want.batch * want.np, step_s)
    fastest = fastest_of(want, step_s)
    print(f"spread: standard deviation over launches / mean. PyTorch's fastest path is {fastest}")
    ratio = rows[fastest]["ratio"]
    misses = []
    if ratio < want.least:
        misses.append(f"busbar's rate is {ratio:.3f} of PyTorch's ({fastest}), below {want.least:g}")
    return finish(want, {"fastest": fastest, "ratio": ratio, "interval": rows[fastest]["interval"], "rows": rows,
                         "pytorch": facts, **more}, misses)


def finish(want: argparse.Namespace, result: dict, misses: list[str]) -> int:
    """Writes --json and prints missed bars; returns the exit code."""
    if want.json:
        given = {k: json.loads(json.dumps(v, default=str)) for k, v in vars(want).items()}
        numbers = {"script": NAME, "options": given, **result, "missed": misses}
        write(want.json, json.dumps(numbers, indent=1) + "\n")
    for miss in misses:
        print(f"missed: {miss}" + (" (--no-bars)" if want.no_bars else ""))
    return 1 if misses and not want.no_bars else 0


def run(main: Callable[[], int]) -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # runs `finally`: busy loops end too
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        progress("")
        print(f"{NAME}: interrupted", file=sys.stderr)
        sys.exit(130)
