// What the tests of the rules for clients share: the law of a profile, and what is said in lines.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/join.hpp"
#include "corpus/corpus_for_testing.hpp"
#include "json/parse.hpp"
#include "judge/clients/rules.hpp"

namespace jrpcheck::judge {

inline const ClientLaw& law_for_testing(const std::string& profile = "mcp") {
  static std::map<std::string, ClientLaw> known;
  if (!known.contains(profile)) {
    known.emplace(profile, client_law_of(corpus::corpus_for_testing(profile)));
  }
  return known.at(profile);
}

/// Lines that begin with > are the client's, and those with < the server's.
inline void hear_lines(ClientRules& rules, const std::vector<std::string>& lines) {
  for (const auto& line : lines) {
    const auto value = json::parse(std::string_view(line).substr(1));
    EXPECT_TRUE(value) << line;
    if (!value) continue;
    if (line.front() == '>') {
      rules.hear(*value.value);
    } else {
      rules.tell(*value.value);
    }
  }
}

/// The requirements that something is charged to, in order.
inline std::string charged_by(const Judgement& judgement) {
  return joined(judgement.findings, " ", &Finding::requirement);
}

}  // namespace jrpcheck::judge
