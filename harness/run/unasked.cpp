#include "run/unasked.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "dialogue/id_key.hpp"
#include "judge/charger.hpp"
#include "judge/envelope.hpp"
#include "judge/protocol.hpp"
#include "judge/unasked.hpp"
#include "run/case_verdict.hpp"

namespace jrpcheck::run {
namespace {

using dialogue::Event;
using judge::Finding;

class Collector {
 public:
  Collector(const corpus::Ledger& ledger, const judge::Context& context)
      : ledger_(ledger), context_(context) {
    result_.id = kUnaskedDialogue.id;
    result_.title = kUnaskedDialogue.title;
  }

  // From here on the server may use its ids again.
  void begin_conversation() { own_ids_.clear(); }

  // `line` gives the shell line that says the same again.
  void take(const std::vector<Event>& events, const std::function<std::string()>& line = {}) {
    for (const auto& event : events) {
      if (event.direction != dialogue::Direction::unasked || event.left_out != 0) continue;
      const bool is_first = result_.transcript.empty();
      if (take(event) && is_first && line) result_.reproduce = line();
    }
  }

  // What the opening shows by the law of the protocol, as one conversation.
  void take_by_law(const std::vector<Event>& events) {
    judge::Judgement judgement;
    judge_by_law(events, {ledger_, context_, std::nullopt}, judgement);
    exercised_.merge(judgement.exercised);
    const std::size_t known = result_.findings.size();
    for (auto& finding : judgement.findings) {
      if (!is_known(finding)) add(std::move(finding));
    }
    if (result_.findings.size() == known) return;
    for (const auto& event : events) {
      if (!event.is_for_people()) continue;
      result_.transcript.push_back(event);
      result_.transcript.back().step = shown_;
    }
    ++shown_;
  }

  std::optional<result::CaseResult> result() {
    for (const auto& id : result_.requirements) exercised_.erase(id);
    const auto exercised = exercised_.in_order();
    result_.requirements.insert(result_.requirements.end(), exercised.begin(), exercised.end());
    if (result_.requirements.empty()) return std::nullopt;
    result_.exercised = result_.requirements;
    result_.verdict = result::worst_of(result_.findings);
    return std::move(result_);
  }

 private:
  // Whether it shows something new.
  bool take(const Event& event) {
    judge::Judgement judgement;
    judge::Charger charger(ledger_, judgement);
    charger.use(context_.dialect);
    const dialogue::Message message = dialogue::message_of(event);
    if (event.note == dialogue::kOtherIdNote) {
      judge::judge_answer_with_other_id(message, charger);
    } else if (event.note == dialogue::kBrokenAnswerNote) {
      judge::judge_text(message, charger);
    } else {
      judge::judge_unasked(message, charger, own_ids_);
    }
    if (message.find("method") != nullptr) {
      for (auto& key : dialogue::id_keys_of(message)) own_ids_.insert(std::move(key));
    }
    const std::size_t known = result_.findings.size();
    for (auto& finding : judgement.findings) {
      if (!is_known(finding)) add(std::move(finding));
    }
    if (result_.findings.size() == known) return false;
    result_.transcript.push_back(event);
    result_.transcript.back().step = shown_++;
    return true;
  }

  bool is_known(const Finding& finding) const {
    return std::any_of(result_.findings.begin(), result_.findings.end(), [&](const auto& other) {
      return judge::identity_of(other) == judge::identity_of(finding);
    });
  }

  void add(Finding finding) {
    finding.step = shown_;
    result_.requirements.push_back(finding.requirement);
    result_.findings.push_back(std::move(finding));
  }

  const corpus::Ledger& ledger_;
  const judge::Context& context_;
  result::CaseResult result_;
  judge::Requirements exercised_;  // by the law of the protocol
  std::size_t shown_ = 0;          // messages
  std::set<std::string> own_ids_;  // of the server's Requests in the case at hand
};

// The line of a call that went out beside the cases.
std::string line_of(const std::string& call, const Reproduce& reproduce) {
  if (!reproduce) return {};
  corpus::Case one;
  one.id = kUnaskedDialogue.id;
  one.steps.emplace_back().messages.push_back(call);
  return reproduce(one);
}

}  // namespace

std::optional<result::CaseResult> judge_unasked(
    const std::vector<Event>& opening, const std::vector<result::StoredDialogue>& dialogues,
    const std::vector<result::CaseResult>& cases, const corpus::Ledger& ledger,
    const judge::Context& context, const Reproduce& reproduce) {
  Collector collector(ledger, context);
  collector.take(opening);
  if (context.law && !context.law->profile.schemas.empty()) collector.take_by_law(opening);
  for (const auto& one : cases) {
    collector.begin_conversation();
    collector.take(one.transcript, [&] { return one.reproduce; });
  }
  // Last: a case says how to see the same again. What else there is beside the cases holds no other
  // message than the opening and they do.
  collector.begin_conversation();
  for (const auto& one : dialogues) {
    if (one.id != kCatalogueDialogue.id && one.id != kDiscoveryDialogue.id) continue;
    for (const auto& each : one.exchanges) {
      collector.take(each.transcript, [&] { return line_of(each.call, reproduce); });
    }
  }
  return collector.result();
}

}  // namespace jrpcheck::run
