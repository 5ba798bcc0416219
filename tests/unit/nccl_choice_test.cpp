// SPDX-License-Identifier: Apache-2.0
// Acts as NCCL: loads the plug-in in NCCL_PROFILER_PLUGIN and sends it events, in each version of the interface. The
// descriptors copy NCCL 2.28.9's src/include/plugin/profiler/profiler_v*.h, with all members that set the size of the
// unions. They are independent of the code under test.
#include <cstdlib>
#include <cstring>
#include <thread>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "core/nccl/choice.hpp"

namespace {

using busbar::nccl_choice::arm;
using busbar::nccl_choice::NcclChoice;
using busbar::nccl_choice::offer;
using busbar::nccl_choice::take_choice;

enum Kind { group = 1, coll = 2, p2p = 4, proxy_op = 8, net_plugin = 128 };

struct P2p {
  const char* func;
  void* buff;
  const char* datatype;
  std::size_t count;
  int peer;
};

/// The common middle part of the descriptors.
struct Collective {
  std::uint64_t seq;
  const char* func;
  const void* send;
  void* recv;
  std::size_t count;
  int root;
  const char* datatype;
};

template <class Type, class Coll>
struct DescriptorOf {
  Type type;
  void* parent;
  int rank;
  union {
    Coll coll;
    P2p p2p;
  } u;
};

struct V2 {
  static constexpr const char* symbol = "ncclProfiler_v2";
  struct Coll {
    const char* name;
    std::uint64_t comm_hash;
    Collective call;
    std::size_t traffic_bytes;
    std::uint8_t channels, warps;
    const char *algo, *proto;
  };
  using Descriptor = DescriptorOf<std::uint8_t, Coll>;
  using Init = int (*)(void**, int*);
};

struct V3 {
  static constexpr const char* symbol = "ncclProfiler_v3";
  struct Coll {
    const char* name;
    std::uint64_t comm_hash;
    Collective call;
    std::uint8_t channels, warps;
    const char *algo, *proto;
  };
  using Descriptor = DescriptorOf<std::uint8_t, Coll>;
  using Init = int (*)(void**, int*);
};

struct V4 {
  static constexpr const char* symbol = "ncclProfiler_v4";
  struct Coll {
    Collective call;
    std::uint8_t channels, warps;
    const char *algo, *proto;
  };
  using Descriptor = DescriptorOf<std::uint8_t, Coll>;
  using Init = int (*)(void**, int*, const char*, std::uint64_t, int, int, int, void*);
};

struct V5 {
  static constexpr const char* symbol = "ncclProfiler_v5";
  struct Coll {
    Collective call;
    std::uint8_t channels, warps;
    const char *algo, *proto;
    void* parent_group;
  };
  using Descriptor = DescriptorOf<std::uint64_t, Coll>;
  using Init = int (*)(void**, std::uint64_t, int*, const char*, int, int, int, void*);
};

template <class V>
struct Table {
  const char* name;
  typename V::Init init;
  int (*start)(void*, void**, typename V::Descriptor*);
  int (*stop)(void*);
  int (*record)(void*, int, void*);
  int (*finalize)(void*);
};

int init(V2::Init f, void** context, int* mask) { return f(context, mask); }
int init(V4::Init f, void** context, int* mask) { return f(context, mask, "name", 7, 1, 2, 0, nullptr); }
int init(V5::Init f, void** context, int* mask) { return f(context, 7, mask, "name", 1, 2, 0, nullptr); }

template <class V>
struct Told {
  static constexpr bool channels = std::is_same_v<V, V4> || std::is_same_v<V, V5>;
};

/// NCCL of one version of the interface, with one communicator.
template <class V>
class Nccl {
 public:
  Nccl() {
    library_ = dlopen(std::getenv("NCCL_PROFILER_PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    table_ = static_cast<const Table<V>*>(dlsym(library_, V::symbol));
    if (table_ == nullptr) throw std::runtime_error(dlerror());
    EXPECT_EQ(init(table_->init, &context_, &mask_), 0);
    EXPECT_NE(context_, nullptr);
  }
  ~Nccl() {
    EXPECT_EQ(table_->finalize(context_), 0);
    dlclose(library_);
  }
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  [[nodiscard]] int mask() const { return mask_; }
  [[nodiscard]] const Table<V>& table() const { return *table_; }

  /// As NCCL does: an event only where the mask has its kind.
  void launch(const char* algo, const char* proto, std::uint8_t channels, const char* func = "AllReduce") {
    if ((mask_ & coll) == 0) return;
    typename V::Descriptor d{};
    d.type = coll;
    d.u.coll.call.func = func;
    d.u.coll.algo = algo;
    d.u.coll.proto = proto;
    d.u.coll.channels = channels;
    d.u.coll.warps = 17;
    tell(d);
  }
  void tell(typename V::Descriptor& d) {
    void* handle = &d;
    EXPECT_EQ(table_->start(context_, &handle, &d), 0);
    EXPECT_EQ(handle, nullptr);  // or NCCL would go on about this event
  }

 private:
  void* library_ = nullptr;
  const Table<V>* table_ = nullptr;
  void* context_ = nullptr;
  int mask_ = -1;
};

template <class V>
class NcclChoiceOf : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("NCCL_PROFILER_PLUGIN");
    ASSERT_EQ(offer(), std::nullopt);
  }
  void TearDown() override { unsetenv("NCCL_PROFILER_PLUGIN"); }
};
using Versions = testing::Types<V2, V3, V4, V5>;
TYPED_TEST_SUITE(NcclChoiceOf, Versions);

TYPED_TEST(NcclChoiceOf, IsReportedBetweenArmAndTake) {
  Nccl<TypeParam> nccl;
  EXPECT_EQ(nccl.mask(), 0);
  nccl.launch("TREE", "LL", 4);
  arm();
  EXPECT_EQ(nccl.mask(), coll);
  nccl.launch("COLLNET_DIRECT", "LL128", 24);
  const auto choice = take_choice();
  EXPECT_EQ(nccl.mask(), 0);
  ASSERT_TRUE(choice.has_value());
  EXPECT_EQ(choice->function, "AllReduce");
  EXPECT_EQ(choice->algorithm, "collnet_direct");
  EXPECT_EQ(choice->protocol, "ll128");
  EXPECT_EQ(choice->channels, Told<TypeParam>::channels ? std::optional(24) : std::nullopt);
  EXPECT_EQ(take_choice(), std::nullopt);  // once
}

TYPED_TEST(NcclChoiceOf, IsUnknownWithoutEvents) {
  Nccl<TypeParam> nccl;
  arm();
  EXPECT_EQ(take_choice(), std::nullopt);
}

TYPED_TEST(NcclChoiceOf, IsOneForEqualCalls) {
  Nccl<TypeParam> nccl;
  arm();
  for (int i = 0; i < 3; ++i) nccl.launch("NVLS_TREE", "SIMPLE", 0);
  const auto choice = take_choice();
  ASSERT_TRUE(choice.has_value());
  EXPECT_EQ(choice->algorithm, "nvls_tree");
  EXPECT_EQ(choice->channels, std::nullopt);  // 0 is what NCCL leaves where it counts none
}

TYPED_TEST(NcclChoiceOf, IsUnknownForDifferentCalls) {
  Nccl<TypeParam> nccl;
  arm();
  nccl.launch("RING", "LL", 2);
  nccl.launch("RING", "SIMPLE", 2);
  nccl.launch("RING", "SIMPLE", 2);
  EXPECT_EQ(take_choice(), std::nullopt);
}

TYPED_TEST(NcclChoiceOf, IsUnknownOnGarbage) {
  Nccl<TypeParam> nccl;
  const std::string endless(1000, 'A');
  for (const char* bad : {static_cast<const char*>(nullptr), "", "Unknown", "RING!", "a b", endless.c_str()}) {
    arm();
    nccl.launch(bad, "SIMPLE", 1);
    EXPECT_EQ(take_choice(), std::nullopt) << (bad ? bad : "null");
    arm();
    nccl.launch("RING", bad, 1, nullptr);
    EXPECT_EQ(take_choice(), std::nullopt) << (bad ? bad : "null");
  }
  arm();
  nccl.launch("RING", "LL", 1);
  nccl.launch(nullptr, nullptr, 1);
  EXPECT_EQ(take_choice(), std::nullopt);  // half of it known is not known
}

TYPED_TEST(NcclChoiceOf, IgnoresOtherEvents) {
  Nccl<TypeParam> nccl;
  arm();
  for (const auto type : {group, p2p, proxy_op, net_plugin}) {
    typename TypeParam::Descriptor d;
    std::memset(static_cast<void*>(&d), 0xa5, sizeof d);  // as no pointer may be followed
    d.type = type;
    nccl.tell(d);
  }
  EXPECT_EQ(nccl.table().start(nullptr, nullptr, nullptr), 0);
  EXPECT_EQ(nccl.table().stop(nullptr), 0);
  EXPECT_EQ(nccl.table().record(nullptr, 99, nullptr), 0);
  EXPECT_EQ(take_choice(), std::nullopt);
}

TYPED_TEST(NcclChoiceOf, IsReportedFromAnotherThread) {
  Nccl<TypeParam> nccl;
  arm();
  std::thread([&] { nccl.launch("RING", "SIMPLE", 8); }).join();
  EXPECT_EQ(take_choice().value().algorithm, "ring");
}

TYPED_TEST(NcclChoiceOf, LeavesTheMaskAloneAfterTheLastCommunicator) {
  {
    const Nccl<TypeParam> first;
    const Nccl<TypeParam> second;
    arm();
    EXPECT_EQ(second.mask(), coll);
    EXPECT_EQ(take_choice(), std::nullopt);
  }
  arm();  // the word that the mask was in is gone
  EXPECT_EQ(take_choice(), std::nullopt);
  Nccl<TypeParam> third;
  arm();
  third.launch("RING", "SIMPLE", 8);
  EXPECT_TRUE(take_choice().has_value());
}

TEST(NcclChoiceOffer, KeepsThePlugInOfTheUser) {
  setenv("NCCL_PROFILER_PLUGIN", "mine", 1);
  const auto why = offer();
  ASSERT_TRUE(why.has_value());
  EXPECT_NE(why->find("NCCL_PROFILER_PLUGIN is set"), std::string::npos) << *why;
  EXPECT_STREQ(std::getenv("NCCL_PROFILER_PLUGIN"), "mine");
  unsetenv("NCCL_PROFILER_PLUGIN");
}

TEST(NcclChoiceOffer, MayBeRepeated) {
  unsetenv("NCCL_PROFILER_PLUGIN");
  EXPECT_EQ(offer(), std::nullopt);
  EXPECT_EQ(offer(), std::nullopt);
  unsetenv("NCCL_PROFILER_PLUGIN");
}

}  // namespace
