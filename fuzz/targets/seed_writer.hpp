// Where seeds go: a folder for each target, a file for each input.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "corpus/case.hpp"

namespace jrpcheck::fuzz {

/// Larger ones tell an engine nothing more, and slow it down: from the start it makes inputs of the
/// size of the largest.
inline constexpr std::size_t kLongestSeed = 1024;
inline constexpr std::size_t kLongestFile = 4096;

class SeedWriter {
 public:
  explicit SeedWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// One seed, unless the target has it already. Seeds of a former build are removed.
  void add(const std::string& target, const std::string& text, std::size_t longest = kLongestSeed) {
    if (text.size() > longest || !known_.insert(target + "\n" + text).second) return;
    const auto folder = folder_ / target;
    if (begun_.insert(target).second) {
      std::filesystem::remove_all(folder);
      std::filesystem::create_directories(folder);
    }
    char name[16];
    std::snprintf(name, sizeof name, "%04u", ++count_);
    std::ofstream out(folder / name, std::ios::binary);
    complete_ = (out << text << std::flush) && complete_;
  }

  /// A file, of which the smallest that says something is larger.
  void add_file(const std::string& target, const std::string& text) {
    add(target, text, kLongestFile);
  }

  /// The messages that a case sends.
  void add_messages(const std::string& target, const corpus::Case& one) {
    for (const auto& step : one.steps) {
      if (step.raw) continue;
      for (const auto& message : step.messages) add(target, message.text());
    }
  }

  bool complete() const { return complete_ && count_ > 0; }

 private:
  std::filesystem::path folder_;
  std::set<std::string> known_;
  std::set<std::string> begun_;
  unsigned count_ = 0;
  bool complete_ = true;
};

}  // namespace jrpcheck::fuzz
