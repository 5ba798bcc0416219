# SPDX-License-Identifier: Apache-2.0
"""busbar for Spack. Not run: a test compares its options with busbar's CMake files. From the folder of
busbar, with this file in a package repository of yours (REPOSITORY/packages/busbar/package.py):

    spack dev-build busbar@0.2.0 ^openmpi
"""
from spack.package import *


class Busbar(CMakePackage, CudaPackage):
    """Measures how fast the ranks of a cluster talk to each other over MPI and NCCL, and how far training scales."""

    license("Apache-2.0")

    version("0.2.0")

    variant("nccl", default=False, description="Collectives on GPUs by NCCL", when="+cuda")
    variant("cudnn", default=False, description="Training steps on GPUs by cuDNN", when="+cuda")
    variant("onednn", default=True, description="Training steps on CPUs by oneDNN")
    variant("cairo", default=True, description="Figures as PDF, SVG and PNG by Cairo")
    variant("http", default=True, description="Live pages of busbar watch by cpp-httplib")
    variant("simgrid", default=False, description="Simulators of clusters: busbar-bench-sim, busbar-train-sim")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("boost", type="build")
    depends_on("fmt@9:")
    depends_on("onednn@2.6: cpu_runtime=omp", when="+onednn")
    depends_on("cairo@1.16: +pdf +svg +png +ft +fc", when="+cairo")
    depends_on("pkgconfig", type="build", when="+cairo")
    depends_on("cpp-httplib@0.11:", when="+http")
    depends_on("cuda@12.2:", when="+cuda")
    depends_on("nccl@2.18:", when="+nccl")
    depends_on("cudnn@9:", when="+cudnn")
    depends_on("simgrid@3.32: +smpi", when="+simgrid")

    conflicts("%gcc@:11", msg="busbar is C++20: g++ 12 or newer")
    conflicts("%clang@:15", msg="busbar is C++20: clang 16 or newer")
    conflicts("cuda_arch=none", when="+cuda", msg="cuda_arch names the GPUs to build for")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("BUILD_TESTING", False),
            self.define("CMAKE_INSTALL_RPATH_USE_LINK_PATH", True),
            self.define_from_variant("BUSBAR_GPU", "cuda"),
            self.define_from_variant("BUSBAR_SIMGRID", "simgrid"),
            self.define_from_variant("BUSBAR_ONEDNN", "onednn"),
            self.define_from_variant("BUSBAR_CAIRO", "cairo"),
            self.define_from_variant("BUSBAR_HTTP", "http"),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        for name, root in (("nccl", "NCCL_ROOT"), ("cudnn", "CUDNN_ROOT"), ("simgrid", "SIMGRID_ROOT")):
            if self.spec.satisfies(f"+{name}"):
                args.append(self.define(root, self.spec[name].prefix))
        return args
