#include "fuzz/edge_map.hpp"

#include <gtest/gtest.h>
#include <sys/shm.h>

#include <cstdlib>

namespace jrpcheck::fuzz {
namespace edge_map_test {

// As the runtime of an instrumented program finds it.
std::uint8_t* attached() {
  const char* id = std::getenv("__AFL_SHM_ID");
  return id == nullptr ? nullptr : static_cast<std::uint8_t*>(::shmat(std::atoi(id), nullptr, 0));
}

TEST(EdgeMap, WhatAProgramWritesIsTakenOnceItHasWritten) {
  const auto map = EdgeMap::share();
  ASSERT_TRUE(map) << map.error().message;
  std::uint8_t* program = attached();
  ASSERT_NE(program, nullptr);
  EXPECT_FALSE((*map)->is_written());
  program[70'000] = 3;
  EXPECT_TRUE((*map)->is_written());
  const auto edges = (*map)->take();
  ASSERT_EQ(edges.size(), 1U);
  EXPECT_EQ(edges.front().number, 70'000U);
  EXPECT_EQ(edges.front().count, 3);
  EXPECT_TRUE(edges.front().is_edge);
  EXPECT_EQ((*map)->seen(), 1U);
  ::shmdt(program);
}

TEST(EdgeMap, IsEmptyWhenCleared) {
  const auto map = EdgeMap::share();
  ASSERT_TRUE(map) << map.error().message;
  std::uint8_t* program = attached();
  ASSERT_NE(program, nullptr);
  program[5] = 1;
  EXPECT_EQ((*map)->take().size(), 1U);
  (*map)->clear();
  EXPECT_TRUE((*map)->take().empty());
  program[3] = 1;
  EXPECT_EQ((*map)->take().size(), 1U);
  EXPECT_EQ((*map)->seen(), 2U);
  ::shmdt(program);
}

TEST(EdgeMap, LeavesTheEnvironmentAsItWas) {
  { const auto map = EdgeMap::share(); }
  EXPECT_EQ(std::getenv("__AFL_SHM_ID"), nullptr);
}

}  // namespace edge_map_test
}  // namespace jrpcheck::fuzz
