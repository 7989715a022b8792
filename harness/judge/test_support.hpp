// What the tests of this layer share: the real ledger, cases and exchanges written shortly.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus.hpp"
#include "corpus/load_case.hpp"
#include "json/parse.hpp"
#include "judge/judge.hpp"

namespace jrpcheck::judge {

/// The ledger that is built into the program: levels of severity are its own.
inline const corpus::Ledger& real_ledger() {
  static const corpus::Ledger kLedger = [] {
    const auto files = corpus::embedded_files();
    const auto file =
        std::ranges::find_if(files, [](const auto& each) { return each.path == "ledger.json"; });
    auto ledger = corpus::Ledger::load(file->path, file->text);
    if (!ledger) ADD_FAILURE() << ledger.error().message;
    return ledger ? *std::move(ledger) : corpus::Ledger();
  }();
  return kLedger;
}

inline json::Value value_of(std::string_view text) {
  auto parsed = json::parse(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error.message;
  return parsed ? *std::move(parsed.value) : json::Value();
}

/// A case about err-code-method with these outcomes (the content of `accept`); `more` are further
/// members of its only step and `members` of the case.
inline corpus::Case case_accepting(const std::string& outcomes, const std::string& more = "",
                                   const std::string& members = "") {
  auto one = corpus::load_case("test.json", R"({"id": "test/case", "title": "T",
      "requirements": ["err-code-method"], )" + members +
                                                R"("steps": [{"send": {"text": "1"}, )" + more +
                                                R"("accept": [)" + outcomes + "]}]}");
  EXPECT_TRUE(one) << one.error().message;
  return one ? *std::move(one) : corpus::Case();
}

/// A further step of the case with these outcomes.
inline void add_step(corpus::Case& one, const std::string& outcomes) {
  auto other = case_accepting(outcomes);
  one.steps.push_back(std::move(other.steps.at(0)));
}

/// Messages that came back over a stream.
inline dialogue::Exchange replied(const std::vector<std::string>& texts) {
  dialogue::Exchange exchange;
  for (const auto& text : texts) exchange.replies.push_back({text, 0});
  return exchange;
}

/// An HTTP response; an empty body is no reply.
inline dialogue::Exchange responded(int status, const std::string& body,
                                    const std::string& content_type = "application/json") {
  dialogue::Exchange exchange;
  exchange.http_status = status;
  exchange.http_content_type = content_type;
  if (!body.empty()) exchange.replies.push_back({body, status});
  return exchange;
}

inline dialogue::Exchange ended(dialogue::Ending ending, const std::string& detail) {
  dialogue::Exchange exchange;
  exchange.ending = ending;
  exchange.detail = detail;
  return exchange;
}

inline dialogue::SurvivalCheck survival(dialogue::Survival survival) { return {survival, "", ""}; }

inline Judgement judged(const corpus::Case& one, const dialogue::Exchange& exchange,
                        const dialogue::SurvivalCheck& check = {}, const Context& context = {}) {
  return judge(one, {&exchange, 1}, check, real_ledger(), context);
}

/// The charges as "requirement: severity", in order.
inline std::vector<std::string> charges(const Judgement& judgement) {
  std::vector<std::string> texts;
  for (const auto& finding : judgement.findings) {
    texts.push_back(finding.requirement + ": " + std::string(name_of(finding.severity)));
  }
  return texts;
}

using Charges = std::vector<std::string>;

}  // namespace jrpcheck::judge
