// What the tests share that judge a whole server.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "run/progress.hpp"
#include "transport/byte_stream.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::run {

class NoProgress : public Progress {
 public:
  void advance(std::size_t, std::size_t, const std::string&) override {}
};

/// Starts programs. The guardian forks: it is there before the first test.
class GuardedTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    transport::ignore_broken_pipes();
    auto started = transport::Guardian::start();
    ASSERT_TRUE(started) << started.error().message;
    guardian_ = *std::move(started);
  }
  static void TearDownTestSuite() { guardian_.reset(); }

  inline static std::unique_ptr<transport::Guardian> guardian_;
};

}  // namespace jrpcheck::run
