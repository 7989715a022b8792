// Runs of dialogues, and what was found in them, made by tests.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/dialogue_judge.hpp"

namespace jrpcheck::client {

inline judge::Finding finding_of(const std::string& requirement, const std::string& sentence) {
  judge::Finding finding;
  finding.requirement = requirement;
  finding.particulars = sentence;
  return finding;
}

/// The verdict, and what is charged: "fail mcp-c-ping".
inline std::string told(const result::CaseResult& result) {
  std::string text(name_of(result.verdict));
  for (const auto& each : result.findings) text += " " + each.requirement;
  return text;
}

/// A client that calls these, and exits with this code; none: it was ended.
inline DialogueTrial trial_with(std::vector<std::string> methods, std::optional<int> code) {
  DialogueTrial trial;
  trial.notes.methods = std::move(methods);
  if (code) {
    trial.end.status.emplace();
    trial.end.status->value = *code;
  }
  return trial;
}

}  // namespace jrpcheck::client
