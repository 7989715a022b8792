// What the tests of the rules for clients share: the law of a profile, and what is said in lines.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/join.hpp"
#include "corpus/corpus.hpp"
#include "json/parse.hpp"
#include "judge/client_rules.hpp"

namespace jrpcheck::judge {

/// The corpus that is built into the program, by that profile.
inline const corpus::Corpus& corpus_for_testing(const std::string& profile) {
  static std::map<std::string, corpus::Corpus> known;
  if (!known.contains(profile)) {
    auto corpus = corpus::assemble(corpus::embedded_files(), {});
    EXPECT_TRUE(corpus);
    corpus = corpus::with_profile(*std::move(corpus), profile);
    EXPECT_TRUE(corpus);
    known.emplace(profile, *std::move(corpus));
  }
  return known.at(profile);
}

inline const ClientLaw& law_for_testing(const std::string& profile = "mcp") {
  static std::map<std::string, ClientLaw> known;
  if (!known.contains(profile)) {
    known.emplace(profile, client_law_of(corpus_for_testing(profile)));
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
