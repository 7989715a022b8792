// What the tests of jrpcheck fuzz as a program share.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "testing/program_for_testing.hpp"

namespace jrpcheck::testing {

using Words = std::vector<std::string>;

inline ProgramResult jrpcheck(Words words, const Words& server) {
  words.insert(words.begin(), JRPCHECK_PROGRAM);
  words.insert(words.end(), server.begin(), server.end());
  return run_program(words);
}

inline Words reference(const Words& more = {}) {
  Words words = {"--", REFERENCE_PROGRAM, "--stdio"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path().string());
  }
  return files;
}

/// A finding of one fault, stored in `folder`.
inline std::string stored_finding(const TemporaryFolder& folder, const std::string& fault) {
  const auto result = jrpcheck({"fuzz", "--max-time", "20", "--findings", folder.path()},
                               reference({"--fault", fault}));
  EXPECT_EQ(result.exit_code, 1) << result.output << result.error;
  const auto files = files_in(folder.path());
  EXPECT_EQ(files.size(), 1U);
  return files.empty() ? "" : files.front();
}

}  // namespace jrpcheck::testing
