// SPDX-License-Identifier: Apache-2.0
#include "grid.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "device.hpp"
#include "fiber.hpp"

constinit thread_local uint3 threadIdx = {};
constinit thread_local uint3 blockIdx = {};
constinit thread_local dim3 blockDim;
constinit thread_local dim3 gridDim;

namespace fake_gpu::simt {
namespace {

constexpr int warp_size = 32;
constexpr std::uint64_t poison = 0xCBCBCBCBCBCBCBCB;

enum class State { fresh, running, at_block, at_warp, ended };

struct Thread {
  State state = State::fresh;
  Fiber* fiber = nullptr;
  std::source_location where;
  Exchange what = Exchange::synchronize;
  std::uint32_t mask = 0;
  std::uint64_t value = 0;
  int source = 0;
  std::uint64_t result = 0;
};

std::string text(const std::source_location& where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

bool same(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() && std::string_view(a.file_name()) == b.file_name();
}

class Block {
 public:
  void run(const Shape& shape, uint3 index, const std::function<void()>& thread);
  int wait_for_block(int value, std::source_location where);
  std::uint64_t wait_for_warp(Exchange what, std::uint32_t mask, std::uint64_t value, int source,
                              std::source_location where);
  [[nodiscard]] int lane() const { return current_ % warp_size; }

 private:
  static void run_fiber(void* block);
  void run_threads();
  void go_on(int thread);
  void start_fiber();
  void give_up_fibers();
  void leave();
  void release_block();
  void release_warp(int first, std::uint32_t mask);
  void expect_nobody_waits() const;
  [[nodiscard]] Thread& at(int index) { return threads_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] std::string described(int index) const;
  void set_index(int index) const;
  void set_index_of_next();

  Shape shape_;
  const std::function<void()>* body_ = nullptr;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> arrived_;  // lanes that wait, by warp
  std::deque<int> ready_;
  int next_ = 0;  // the first thread that has not started
  int current_ = 0;
  int at_block_ = 0;
  int with_value_ = 0;
  std::exception_ptr failure_;
  std::vector<std::unique_ptr<Fiber>> fibers_;  // kept from block to block
  std::vector<Fiber*> idle_;
  Fiber* current_fiber_ = nullptr;
};

// One for each thread that runs kernels.
Block& block() {
  static thread_local Block here;
  return here;
}

void Block::run(const Shape& shape, uint3 index, const std::function<void()>& thread) {
  shape_ = shape;
  body_ = &thread;
  const auto count = std::size_t{shape.block.x} * shape.block.y * shape.block.z;
  threads_.resize(count);
  for (auto& each : threads_) each.state = State::fresh;
  arrived_.assign((count + warp_size - 1) / warp_size, 0);
  ready_.clear();
  next_ = at_block_ = with_value_ = 0;
  failure_ = nullptr;
  ::blockIdx = index;
  while (!failure_) {
    if (!ready_.empty()) {
      const int first = ready_.front();
      ready_.pop_front();
      go_on(first);
    } else if (next_ < static_cast<int>(count)) {
      start_fiber();
    } else {
      break;
    }
  }
  if (idle_.size() < fibers_.size()) give_up_fibers();
  if (failure_) std::rethrow_exception(failure_);
  expect_nobody_waits();
}

// Threads that wait in a failed block never continue.
void Block::give_up_fibers() {
  idle_.clear();
  for (const auto& fiber : fibers_) {
    fiber->restart();
    idle_.push_back(fiber.get());
  }
}

void Block::start_fiber() {
  if (idle_.empty()) {
    fibers_.push_back(std::make_unique<Fiber>(&Block::run_fiber, this));
    idle_.push_back(fibers_.back().get());
  }
  current_fiber_ = idle_.back();
  idle_.pop_back();
  current_fiber_->enter();
}

void Block::go_on(int thread) {
  current_ = thread;
  set_index(thread);
  current_fiber_ = at(thread).fiber;
  current_fiber_->enter();
}

void Block::run_fiber(void* block) {
  auto& self = *static_cast<Block*>(block);
  for (;;) {
    self.run_threads();
    self.idle_.push_back(self.current_fiber_);
    self.current_fiber_->leave();
  }
}

// One thread after another on the same stack, as long as none waits.
void Block::run_threads() {
  try {
    while (next_ < static_cast<int>(threads_.size())) {
      set_index_of_next();
      current_ = next_++;
      at(current_).state = State::running;
      (*body_)();
      at(current_).state = State::ended;
      if (!ready_.empty()) return;
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void Block::set_index(int index) const {
  const auto i = static_cast<unsigned int>(index);
  const auto& size = shape_.block;
  ::threadIdx = {i % size.x, i / size.x % size.y, i / (size.x * size.y)};
}

// Divides only where the thread before was another one.
void Block::set_index_of_next() {
  if (next_ == 0 || current_ != next_ - 1 || ++::threadIdx.x == shape_.block.x) set_index(next_);
}

void Block::leave() {
  at(current_).fiber = current_fiber_;
  const auto thread = current_;
  current_fiber_->leave();
  at(thread).state = State::running;
}

int Block::wait_for_block(int value, std::source_location where) {
  auto& self = at(current_);
  self.state = State::at_block;
  self.where = where;
  with_value_ += value != 0 ? 1 : 0;
  if (++at_block_ == static_cast<int>(threads_.size()))
    release_block();
  else
    leave();
  return static_cast<int>(self.result);
}

void Block::release_block() {
  for (int i = 0; i < static_cast<int>(threads_.size()); ++i) {
    auto& thread = at(i);
    if (!same(thread.where, at(current_).where))
      throw std::runtime_error("barrier divergence: " + described(i) + ", " + described(current_));
    thread.result = static_cast<std::uint64_t>(with_value_);
    thread.state = State::running;
    if (i != current_) ready_.push_back(i);
  }
  at_block_ = with_value_ = 0;
}

std::uint64_t Block::wait_for_warp(Exchange what, std::uint32_t mask, std::uint64_t value, int source,
                                   std::source_location where) {
  auto& self = at(current_);
  const int first = current_ / warp_size * warp_size;
  const auto lanes = std::min<std::size_t>(warp_size, threads_.size() - static_cast<std::size_t>(first));
  const auto present = lanes == warp_size ? ~0U : (1U << lanes) - 1U;
  const auto bit = 1U << static_cast<unsigned int>(lane());
  self.state = State::at_warp;
  self.where = where;
  self.what = what;
  self.mask = mask & present;
  self.value = value;
  self.source = source;
  if ((mask & bit) == 0) throw std::runtime_error("a thread is not in its own mask: " + described(current_));
  auto& arrived = arrived_[static_cast<std::size_t>(first / warp_size)];
  arrived |= bit;
  if ((arrived & self.mask) == self.mask)
    release_warp(first, self.mask);
  else
    leave();
  return self.result;
}

void Block::release_warp(int first, std::uint32_t mask) {
  const auto in_mask = [&](int i) { return i >= 0 && i < warp_size && ((mask >> static_cast<unsigned int>(i)) & 1U); };
  std::uint64_t ballot = 0;
  for (int i = 0; i < warp_size; ++i)
    if (in_mask(i) && at(first + i).value != 0) ballot |= std::uint64_t{1} << static_cast<unsigned int>(i);
  for (int i = 0; i < warp_size; ++i) {
    if (!in_mask(i)) continue;
    auto& thread = at(first + i);
    const auto& self = at(current_);
    if (thread.mask != mask || thread.what != self.what || !same(thread.where, self.where))
      throw std::runtime_error("warp divergence: " + described(first + i) + ", " + described(current_));
    if (thread.what == Exchange::ballot) thread.result = ballot;
    if (thread.what == Exchange::shuffle)
      thread.result = in_mask(thread.source) ? at(first + thread.source).value : poison;
  }
  for (int i = 0; i < warp_size; ++i) {
    if (!in_mask(i)) continue;
    at(first + i).state = State::running;
    if (first + i != current_) ready_.push_back(first + i);
  }
  arrived_[static_cast<std::size_t>(first / warp_size)] &= ~mask;
}

std::string Block::described(int index) const {
  const auto& thread = threads_[static_cast<std::size_t>(index)];
  const auto name = "thread " + std::to_string(index);
  switch (thread.state) {
    case State::ended:
      return name + " has ended";
    case State::at_block:
      return name + " waits for its block at " + text(thread.where);
    case State::at_warp:
      return name + " waits for its warp at " + text(thread.where);
    case State::fresh:
    case State::running:
      break;
  }
  return name + " runs";
}

void Block::expect_nobody_waits() const {
  int waits = -1;
  int other = -1;
  if (at_block_ == 0 && std::ranges::all_of(arrived_, [](auto lanes) { return lanes == 0; })) return;
  for (int i = 0; i < static_cast<int>(threads_.size()); ++i) {
    const auto state = threads_[static_cast<std::size_t>(i)].state;
    if (waits < 0 && (state == State::at_block || state == State::at_warp)) waits = i;
  }
  if (waits < 0) return;
  for (int i = 0; i < static_cast<int>(threads_.size()); ++i) {
    const auto& thread = threads_[static_cast<std::size_t>(i)];
    const auto& first = threads_[static_cast<std::size_t>(waits)];
    if (thread.state != first.state || !same(thread.where, first.where)) other = i;
  }
  throw std::runtime_error("barrier divergence: " + described(waits) + (other < 0 ? "" : ", " + described(other)));
}

}  // namespace

void run(const Shape& shape, const std::function<void()>& thread) {
  ::blockDim = shape.block;
  ::gridDim = shape.grid;
  for (unsigned int z = 0; z < shape.grid.z; ++z)
    for (unsigned int y = 0; y < shape.grid.y; ++y)
      for (unsigned int x = 0; x < shape.grid.x; ++x) block().run(shape, {x, y, z}, thread);
}

int wait_for_block(int value, std::source_location where) { return block().wait_for_block(value, where); }

std::uint64_t wait_for_warp(Exchange what, std::uint32_t mask, std::uint64_t value, int source,
                            std::source_location where) {
  return block().wait_for_warp(what, mask, value, source, where);
}

int lane() { return block().lane(); }

}  // namespace fake_gpu::simt
