#include "corpus/read_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <system_error>

namespace jrpcheck::corpus {
namespace read_file_test {

TEST(ReadFile, SaysWhyAFileCannotBeRead) {
  const auto missing = read_file("/nonexistent");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "cannot be read: No such file or directory");
  const auto folder = read_file("/");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message, "cannot be read: Is a directory");
}

TEST(ReadFile, ThatThereAreNoMoreDescriptorsIsNoFaultOfTheFile) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_THROW(static_cast<void>(read_file("/proc/self/status")), std::system_error);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace read_file_test
}  // namespace jrpcheck::corpus
