#include "transport/work_together.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>

namespace jrpcheck::transport {
namespace work_together_test {

TEST(WorkTogether, IsDoneByAllAndItsFirstFailureIsTold) {
  std::atomic<int> begun{0};
  EXPECT_EQ(work_together(3, [&] { ++begun; }), "");
  EXPECT_EQ(begun, 3);
  EXPECT_EQ(work_together(3, [] { throw std::bad_alloc(); }), "jrpcheck has run out of memory");
}

}  // namespace work_together_test
}  // namespace jrpcheck::transport
