// Codes that servers of a protocol may give where the common corpus asks for another.
#pragma once

#include <string>
#include <vector>

#include "base/contains.hpp"

namespace jrpcheck::corpus {

struct OtherCodes {
  long long code;
  std::vector<long long> allowed;
  std::string clause;
  std::string because;
};

/// These codes, and those that may come in the place of one of them.
inline std::vector<long long> with_other_codes(std::vector<long long> codes,
                                               const std::vector<OtherCodes>& others) {
  const auto asked_for = codes;
  for (const auto& each : others) {
    if (!contains(asked_for, each.code)) continue;
    codes.insert(codes.end(), each.allowed.begin(), each.allowed.end());
  }
  return codes;
}

}  // namespace jrpcheck::corpus
