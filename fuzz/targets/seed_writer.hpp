// Where seeds go: a folder for each target, a file for each input.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>

namespace jrpcheck::fuzz {

/// Larger ones slow an engine down and tell it nothing more.
inline constexpr std::size_t kLongestSeed = 4096;

class SeedWriter {
 public:
  explicit SeedWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// One seed, unless the target has it already.
  void add(const std::string& target, const std::string& text) {
    if (text.size() > kLongestSeed || !known_.insert(target + "\n" + text).second) return;
    const auto folder = folder_ / target;
    std::filesystem::create_directories(folder);
    char name[16];
    std::snprintf(name, sizeof name, "%04u", ++count_);
    std::ofstream out(folder / name, std::ios::binary);
    complete_ = (out << text << std::flush) && complete_;
  }

  bool complete() const { return complete_ && count_ > 0; }

 private:
  std::filesystem::path folder_;
  std::set<std::string> known_;
  unsigned count_ = 0;
  bool complete_ = true;
};

}  // namespace jrpcheck::fuzz
