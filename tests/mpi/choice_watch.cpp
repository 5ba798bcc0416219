// SPDX-License-Identifier: Apache-2.0
// An auditor of the dynamic linker (LD_AUDIT, rtld-audit(7)): appends the names of Open MPI's algorithms to the file
// BUSBAR_TEST_CHOICES when component tuned calls them, one a line, on rank 0. Sees nothing in libraries that bind all
// symbols when they are loaded.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

namespace {

constexpr const char* algorithms = "ompi_coll_base_";

bool on_rank_0() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank != nullptr && std::strcmp(rank, "0") == 0;
}

void append(const char* name) {
  const char* file = std::getenv("BUSBAR_TEST_CHOICES");
  if (file == nullptr || !on_rank_0()) return;
  const int out = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (out < 0) return;
  const bool written = write(out, name, std::strlen(name)) > 0 && write(out, "\n", 1) == 1;
  close(out);
  if (!written) std::abort();
}

}  // namespace

extern "C" {

unsigned la_version(unsigned) { return LAV_CURRENT; }

unsigned la_objopen(link_map* object, Lmid_t, std::uintptr_t*) {
  if (std::strstr(object->l_name, "mca_coll_tuned") != nullptr) return LA_FLG_BINDFROM;
  return std::strstr(object->l_name, "libmpi.so") != nullptr ? LA_FLG_BINDFROM | LA_FLG_BINDTO : 0;
}

std::uintptr_t la_symbind64(Elf64_Sym* symbol, unsigned, std::uintptr_t*, std::uintptr_t*, unsigned* flags,
                            const char* name) {
  const bool wanted = std::strncmp(name, algorithms, std::strlen(algorithms)) == 0;
  *flags |= wanted ? LA_SYMB_NOPLTEXIT : LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
  return symbol->st_value;
}

Elf64_Addr la_x86_64_gnu_pltenter(Elf64_Sym* symbol, unsigned, std::uintptr_t*, std::uintptr_t*, La_x86_64_regs*,
                                  unsigned*, const char* name, long*) {
  append(name + std::strlen(algorithms));
  return symbol->st_value;
}

}  // extern "C"
