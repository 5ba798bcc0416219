// SPDX-License-Identifier: Apache-2.0
// Makes MPI claim to be CUDA-aware, for tests on the fake GPU, which uses host memory.
extern "C" {
int MPIX_Query_cuda_support();
int MPIX_Query_cuda_support() { return 1; }
}
