#include "client/wire_form.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "judge/judgement.hpp"
#include "judge/traffic.hpp"
#include "traffic/account.hpp"

namespace jrpcheck::client {

std::vector<result::CaseResult> wire_form(const corpus::Corpus& corpus, const Door& door,
                                          std::vector<std::vector<dialogue::TrafficEvent>> trials) {
  traffic::Account account(corpus,
                           {"", std::string(door.name), &wire::known_binding(door.binding)});
  std::size_t connection = 0;
  for (auto& trial : trials) {
    std::size_t most = 0;
    for (auto& event : trial) {
      most = std::max(most, event.connection);
      event.connection += connection;
      account.take(event);
    }
    connection += most;
    account.end();  // what one of them leaves unanswered, another answers by chance
  }
  std::vector<result::CaseResult> cases;
  for (auto& one : account.run().cases) {
    if (one.id == "traffic/client") cases.push_back(std::move(one));
  }
  return cases;
}

std::string broken_form(const corpus::Corpus& corpus, const Door& door,
                        const std::vector<dialogue::TrafficEvent>& trial) {
  for (const auto& one : wire_form(corpus, door, {trial})) {
    if (one.findings.empty()) continue;
    const auto& first = one.findings.front();
    return "; what it sends breaks " + first.requirement + ": " + judge::sentence_of(first) + " " +
           to_visible(first.actual, 200);
  }
  return {};
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
