#include "client/wire_form.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "judge/judgement.hpp"
#include "judge/traffic/traffic_judge.hpp"

namespace jrpcheck::client {

WireForm::WireForm(const corpus::Corpus& corpus, const Door& door)
    : account_(corpus, {"", std::string(door.name), &wire::known_binding(door.binding)}) {}

void WireForm::add(const std::vector<dialogue::TrafficEvent>& trial) {
  const std::size_t before = connections_;
  for (auto event : trial) {
    event.connection += before;
    connections_ = std::max(connections_, event.connection);
    account_.take(event);
  }
  account_.end();  // what one of them leaves unanswered, another answers by chance
}

result::CaseResult WireForm::judged() const {
  auto cases = account_.run().cases;
  return *std::ranges::find(cases, "traffic/client", &result::CaseResult::id);
}

std::string broken_form(const corpus::Corpus& corpus, const Door& door,
                        const std::vector<dialogue::TrafficEvent>& trial) {
  WireForm form(corpus, door);
  form.add(trial);
  const auto findings = form.judged().findings;
  if (findings.empty()) return {};
  const auto& first = findings.front();
  return "; what it sends breaks " + first.requirement + ": " + judge::sentence_of(first) + " " +
         to_visible(first.actual, 200);
}

std::string first_words(const std::vector<dialogue::TrafficEvent>& trial) {
  constexpr std::size_t kEnough = 200;
  std::string words;
  for (const auto& event : trial) {
    if (words.size() > kEnough) break;
    if (event.side != dialogue::Side::client || event.message.text().empty()) continue;
    words += (words.empty() ? "" : "\n") + event.message.text();
  }
  return to_visible(words, kEnough);
}

std::size_t answers_let_go(const corpus::Corpus& corpus, const Door& door,
                           const std::vector<dialogue::TrafficEvent>& trial) {
  judge::TrafficJudge judge({&corpus.ledger, &wire::known_binding(door.binding)});
  for (const auto& event : trial) judge.take(event);
  return judge.counts(dialogue::Side::client).let_go;
}

}  // namespace jrpcheck::client
