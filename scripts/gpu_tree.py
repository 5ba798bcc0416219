# SPDX-License-Identifier: Apache-2.0
"""Part of gpu-check: finds CUDA, MPI, NCCL, cuDNN and headers, installed or in unpacked trees, and builds with them."""
import dataclasses
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent
CARRIED = ROOT / ".gpu-carry"
ARCHIVE = ROOT / ".gpu-carry.tar.xz"  # from scripts/gpu-carry; unpacked into CARRIED
Run = Callable[[str, list], str]  # (activity, command) -> output; raises RuntimeError


@dataclasses.dataclass
class Prefixes:
    """Folders to search besides the system's; None: only the system's."""
    mpi: pathlib.Path | None
    headers: pathlib.Path | None
    nccl: pathlib.Path | None
    cudnn: pathlib.Path | None

    def listed(self) -> str:
        given = {name: path for name, path in vars(self).items() if path}
        return ", ".join(f"{name} {path}" for name, path in given.items()) or "only what the system has"


def usr(prefix: pathlib.Path) -> pathlib.Path:
    return prefix / "usr" if (prefix / "usr").is_dir() else prefix


def library_folders(prefix: pathlib.Path) -> list[pathlib.Path]:
    lib = usr(prefix) / "lib"
    several = lib / f"{platform.machine()}-linux-gnu"
    return [folder for folder in (several, several / "pmix2/lib", lib) if folder.is_dir()]


def of_python(part: str) -> pathlib.Path | None:
    """site-packages/nvidia/PART if python3 has it (NVIDIA's wheels, a dependency of PyTorch)."""
    code = f"import nvidia.{part} as m; print(list(m.__path__)[0])"
    found = subprocess.run(["python3", "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    folder = pathlib.Path(found.stdout.strip() or "/nowhere")
    return folder if found.returncode == 0 and (folder / "include").is_dir() else None


def installed(header: str) -> bool:
    nvcc = find_nvcc()
    beside = [nvcc.resolve().parent.parent / "include"] if nvcc else []
    return any((folder / header).exists() for folder in [pathlib.Path("/usr/include"), *beside])


def find_nvcc() -> pathlib.Path | None:
    names = [os.environ.get("CUDACXX"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"]
    return next((pathlib.Path(name) for name in names if name and pathlib.Path(name).exists()), None)


def cuda_library_folders() -> list[pathlib.Path]:
    """Library folders of the toolkit: cuDNN opens libnvrtc by name; without it, it omits plans that need compiling."""
    nvcc = find_nvcc()
    toolkit = nvcc.resolve().parent.parent if nvcc else pathlib.Path("/nowhere")
    several = [toolkit / "lib64", toolkit / "lib", toolkit / f"targets/{platform.machine()}-linux/lib"]
    return [folder for folder in several if any(folder.glob("libcudart.so*"))][:1]


def unpack_carried() -> None:
    """Unpacks the archive if it is newer than the unpacked tree. Raises RuntimeError."""
    done = CARRIED / ".unpacked"
    if not ARCHIVE.exists() or done.exists() and done.stat().st_mtime >= ARCHIVE.stat().st_mtime:
        return
    shutil.rmtree(CARRIED, ignore_errors=True)
    CARRIED.mkdir()
    asked = subprocess.run(["tar", "-C", CARRIED, "-xJf", ARCHIVE], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if asked.returncode != 0:
        raise RuntimeError(f"cannot unpack {ARCHIVE}: {asked.stderr.strip()}")
    done.touch()


def find(want) -> Prefixes:
    """Searches in this order: options, unpacked archive, system, Python packages. Raises RuntimeError."""
    unpack_carried()
    carried = CARRIED if (CARRIED / "usr").is_dir() else None

    def library(given: pathlib.Path | None, part: str, header: str) -> pathlib.Path | None:
        return given or (None if installed(header) else of_python(part))

    return Prefixes(mpi=want.mpi or (None if shutil.which("mpicxx") else carried),
                    headers=want.headers or (None if installed("nlohmann/json.hpp") else carried),
                    nccl=library(want.nccl, "nccl", "nccl.h"), cudnn=library(want.cudnn, "cudnn", "cudnn.h"))


def environment(prefixes: Prefixes) -> dict[str, str]:
    """Environment to build and run in: an unpacked Open MPI finds its files by OPAL_PREFIX."""
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if (os.cpu_count() or 1) < 4:
        env |= {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
    # libpmix first: its folder is not in the loader's search path.
    folders = [folder for prefix in dict.fromkeys(filter(None, (prefixes.mpi, prefixes.headers))) for folder in library_folders(prefix)]
    folders += [prefix / "lib" for prefix in (prefixes.nccl, prefixes.cudnn) if prefix and (prefix / "lib").is_dir()]
    folders += cuda_library_folders()
    if prefixes.mpi:
        base = usr(prefixes.mpi)
        env |= {"OPAL_PREFIX": str(base), "PATH": f"{base / 'bin'}:{env.get('PATH', '')}"}
        pmix = [folder.parent for folder in library_folders(prefixes.mpi) if folder.parent.name == "pmix2"]
        if pmix:
            env |= {"PMIX_INSTALL_PREFIX": str(pmix[0]), "PMIX_MCA_pcompress_base_silence_warning": "1"}
        if not shutil.which("ssh") and not shutil.which("rsh"):
            env["OMPI_MCA_plm"] = "isolated"  # ranks on this host only, no remote shell
    if folders:
        env["LD_LIBRARY_PATH"] = ":".join([*map(str, folders), *filter(None, [env.get("LD_LIBRARY_PATH")])])
    return env


def compute_capability() -> str | None:
    """Compute capability of the first GPU, such as "90"; None: no GPU, or its driver does not respond."""
    if not shutil.which("nvidia-smi"):
        return None
    asked = subprocess.run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"], stdin=subprocess.DEVNULL,
                           capture_output=True, text=True)
    said = re.match(r"(\d+)\.(\d+)\s", asked.stdout)
    return said[1] + said[2] if asked.returncode == 0 and said else None


def configure(build: pathlib.Path, prefixes: Prefixes, tests: bool, run: Run) -> None:
    folders = [usr(prefixes.headers)] if prefixes.headers else []
    folders += [prefix for prefix in (prefixes.nccl, prefixes.cudnn) if prefix]
    command = ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DBUSBAR_GPU=ON",
               f"-DBUILD_TESTING={'ON' if tests else 'OFF'}", f"-DCMAKE_PREFIX_PATH={';'.join(map(str, folders))}"]
    if prefixes.mpi:
        bin_folder = usr(prefixes.mpi) / "bin"
        command += [f"-DMPI_CXX_COMPILER={bin_folder / 'mpicxx'}", f"-DMPIEXEC_EXECUTABLE={bin_folder / 'mpirun'}"]
    for name, prefix in (("NCCL_ROOT", prefixes.nccl), ("CUDNN_ROOT", prefixes.cudnn)):
        if prefix:
            command.append(f"-D{name}={prefix}")
    if nvcc := find_nvcc():
        command.append(f"-DCMAKE_CUDA_COMPILER={nvcc}")
    if capability := compute_capability():
        command.append(f"-DCMAKE_CUDA_ARCHITECTURES={capability}-real")
    if shutil.which("ccache"):
        command.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    run("configure", command)


def gpu_tests(build: pathlib.Path, env: dict[str, str]) -> list[dict]:
    """Tests labelled gpu, as ctest describes them; built ones include their command."""
    told = subprocess.run(["ctest", "--test-dir", str(build), "-L", "^gpu$", "--show-only=json-v1"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, env=env)
    return json.loads(told.stdout).get("tests", []) if told.returncode == 0 else []


def programs(build: pathlib.Path, tests: list[dict]) -> list[str]:
    """Names of the programs in bin/ that these tests run."""
    words = [word for test in tests for word in test.get("command", [])]
    return sorted({pathlib.Path(word).name for word in words if pathlib.Path(word).parent == build / "bin"})


def compile_all(build: pathlib.Path, jobs: int, run: Run) -> None:
    """Builds only what runs: programs under mpirun, their modules, and the GPU tests."""
    known = run("list targets", ["ninja", "-C", build, "-t", "targets", "all"])
    targets = {line.split(":")[0] for line in known.splitlines() if ": phony" in line}
    modules = {target for target in targets if target.startswith("busbar_module_")}
    wanted = [target for target in ("busbar-bench", "busbar-train", *sorted(modules), "gpu_tests") if target in targets]
    run("build", ["cmake", "--build", build, "-j", jobs, "--target", *wanted])


def why_not_gpu(build: pathlib.Path) -> list[str]:
    """Missing parts that CMake reported, such as "NCCL: nccl.h ... was not found"."""
    log = (build / "configure.log").read_text(encoding="utf-8", errors="replace") if (build / "configure.log").exists() else ""
    return re.findall(r"^-- Without (.*)$", log, re.MULTILINE)


if __name__ == "__main__":
    sys.exit("gpu_tree.py is a part of scripts/gpu-check")
