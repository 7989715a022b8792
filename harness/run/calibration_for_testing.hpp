// Calibration against a server in a function.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "corpus/corpus_for_testing.hpp"
#include "run/calibration.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {

inline const corpus::Corpus& real_corpus() {
  return corpus::corpus_for_testing(corpus::kDefaultProfile);
}

/// What calibration learns of a server.
inline Traits traits_of(FakeServer server, const std::string& transport = "lines",
                        const std::string& opening = "") {
  Options options;
  for (const auto& profile : corpus::embedded_profiles()) {
    if (profile.name == opening) adopt(profile, options);
  }
  FakeEndpoint endpoint(transport);
  CaseRunner runner(real_corpus(), endpoint, 0);
  FakeConversation conversation(std::move(server));
  session::Patience patience(milliseconds(50));
  return calibrate(real_corpus(), options, endpoint, runner, conversation, patience);
}

/// What became of one of its cases.
inline const result::CaseResult& result_of(const Traits& traits, const std::string& id) {
  static const result::CaseResult none;
  for (const auto& [ordinal, result] : traits.results) {
    if (result.id == id) return result;
  }
  ADD_FAILURE() << id << " did not run";
  return none;
}

/// The requirements that a case is charged with.
inline std::set<std::string> charged(const result::CaseResult& result) {
  std::set<std::string> ids;
  for (const auto& finding : result.findings) ids.insert(finding.requirement);
  return ids;
}

/// A server whose every reply is edited.
inline FakeServer edited(FakeServer server, const std::string& from, const std::string& to) {
  return [=](const std::string& message) {
    auto reply = server(message);
    for (std::size_t at = 0; reply && (at = reply->find(from, at)) != std::string::npos;) {
      reply->replace(at, from.size(), to);
      at += to.size();
    }
    return reply;
  };
}

}  // namespace jrpcheck::run
