// A secret that a test gives, and what may be left of it in what a program writes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "testing/program_for_testing.hpp"

namespace jrpcheck::testing {

/// Random, so that no output holds it by accident, and as long as tokens are.
class Secret {
 public:
  explicit Secret(std::string_view alphabet = "abcdefghijkmnpqrstuvwxyz0123456789") {
    std::random_device random;
    for (int i = 0; i < 30; ++i) text_ += alphabet[random() % alphabet.size()];
    text_ += "a1";  // a letter and a digit, as all but all have
  }
  operator const std::string&() const { return text_; }  // NOLINT(google-explicit-constructor)

 private:
  std::string text_;
};

inline std::string operator+(const std::string& text, const Secret& secret) {
  return text + static_cast<const std::string&>(secret);
}

inline std::string base64_of(const std::string& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
    unsigned long bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8U | static_cast<unsigned char>(bytes[i + k]);
    for (const unsigned shift : {18U, 12U, 6U, 0U}) text += kDigits[bits >> shift & 0x3FU];
  }
  return text;
}

/// The ways in which the server under test says it, and every part of eight characters of each.
inline std::vector<std::string> spellings_of(const std::string& secret) {
  std::vector<std::string> all = {secret};
  for (const char* format : {"%02x", "%02X", "%02x:", "%02X ", "%02x-", "0x%02x, ", "%%%02X",
                             "%%%02x", "\\u%04X", "\\u%04x", "&#x%02x;", "&#%u;"}) {
    all.emplace_back();
    for (const char c : secret) {
      char text[8];
      std::snprintf(text, sizeof text, format,
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      all.back() += text;
    }
  }
  for (const std::string before : {"", "x", "xy"}) {
    const std::string encoded = base64_of(before + secret + "zz");
    all.push_back(encoded.substr(4, encoded.size() - 8));
    all.push_back(all.back());
    std::ranges::replace(all.back(), '+', '-');
    std::ranges::replace(all.back(), '/', '_');
  }
  return all;
}

inline void expect_none_in(const std::string& text, const std::vector<std::string>& secrets,
                           const std::string& where) {
  for (const auto& secret : secrets) {
    for (const auto& spelling : spellings_of(secret)) {
      EXPECT_EQ(text.find(spelling), std::string::npos) << where << ": " << spelling;
      // Nor what a cut has left of it.
      const auto half = spelling.size() / 2;
      EXPECT_EQ(text.find(spelling.substr(0, half)), std::string::npos)
          << where << ": " << spelling;
      EXPECT_EQ(text.find(spelling.substr(half)), std::string::npos) << where << ": " << spelling;
    }
  }
}

inline void expect_none_in_files(const std::string& folder,
                                 const std::vector<std::string>& secrets) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      expect_none_in(read_file(entry.path().string()), secrets, entry.path().filename().string());
    }
  }
}

}  // namespace jrpcheck::testing
