#include "base/failure.hpp"

#include <gtest/gtest.h>

#include <new>
#include <system_error>

namespace jrpcheck {
namespace failure_test {

TEST(FailureOfWork, IsEmptyWhereItIsDone) {
  bool is_done = false;
  EXPECT_EQ(failure_of([&] { is_done = true; }), "");
  EXPECT_TRUE(is_done);
}

TEST(FailureOfWork, SaysWhatIsNotToBeHad) {
  EXPECT_EQ(failure_of([] { throw std::bad_alloc(); }), "jrpcheck has run out of memory");
  EXPECT_EQ(failure_of([] {
              throw std::system_error(EMFILE, std::generic_category(), "cannot make a pipe");
            }),
            "jrpcheck cannot go on: cannot make a pipe: Too many open files");
}

TEST(FailureOfACommand, IsThatOfItsWork) {
  EXPECT_EQ(failure_of_command([] {}), "");
  EXPECT_EQ(failure_of_command([] { throw std::bad_alloc(); }), "jrpcheck has run out of memory");
}

}  // namespace failure_test
}  // namespace jrpcheck
