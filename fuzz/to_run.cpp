#include "fuzz/to_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/number_of.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::fuzz {
namespace {

using dialogue::Direction;
using result::CaseResult;

class Transcript {
 public:
  explicit Transcript(std::vector<dialogue::Event>& events)
      : events_(events), step_(events.empty() ? 0 : *events.back().step + 1) {}

  std::size_t step() const { return step_; }

  void add(const Asked& asked) {
    for (std::size_t i = 0; i < asked.messages.size(); ++i) {
      const auto frame = asked.frames.find(i);
      add(Direction::sent, asked.messages[i].text(),
          frame != asked.frames.end()
              ? std::string(dialogue::kFrameNote) + wire::text_of(frame->second)
              : in_words(asked.cuts));
    }
    const auto& exchange = asked.exchange;
    for (const auto& reply : exchange.replies) add(Direction::received, reply.text());
    for (const auto& noise : exchange.noise)
      add(Direction::violation, noise.bytes, noise.violation);
    if (exchange.ending == dialogue::Ending::timed_out) add(Direction::quiet, {}, exchange.detail);
    if (exchange.ending == dialogue::Ending::closed) add(Direction::closed, {}, exchange.detail);
    if (exchange.ending == dialogue::Ending::exited) add(Direction::exited, {}, exchange.detail);
    ++step_;
  }

  // Of the last exchange.
  void add_standard_error(const std::string& text) {
    if (text.empty()) return;
    if (step_ > 0) --step_;
    add(Direction::standard_error, text);
  }

 private:
  static std::string in_words(const std::vector<std::size_t>& cuts) {
    if (cuts.empty()) return {};
    return fmt::format("in pieces, cut at these bytes where the message has so many: {}",
                       fmt::join(cuts, ", "));
  }

  void add(Direction direction, const std::string& bytes, const std::string& note = {}) {
    auto kept = dialogue::excerpt(bytes);
    events_.push_back(
        {direction, microseconds(0), std::move(kept.bytes), note, step_, kept.left_out});
  }

  std::vector<dialogue::Event>& events_;
  std::size_t step_;
};

CaseResult case_of(const Finding& finding) {
  CaseResult one;
  const std::string file = file_name_of(finding);
  one.id = "fuzz/" + file.substr(0, file.rfind('.'));
  one.title = finding.shape;
  const bool warns = finding.severity == corpus::Verdict::warn;
  one.verdict = warns ? result::Verdict::warn : result::Verdict::fail;
  one.requirements = one.exercised = {finding.requirement};
  std::vector<Asked> record;
  for (const auto& earlier : finding.before) record.push_back({{earlier}});
  if (finding.company) {
    auto step = step_in_company(finding.sent, *finding.company, finding.traits);
    record.push_back({std::move(step.messages), cuts_of(finding), std::move(step.frames)});
  } else {
    record.push_back({{finding.sent}});
  }
  for (const auto& reply : finding.replies) record.back().exchange.replies.push_back({reply});
  judge::Finding judged{finding.requirement, finding.severity, finding.symptom,    finding.place,
                        finding.expected,    finding.actual,   finding.particulars};
  judged.step = finding.before.size();
  if (finding.is_flaky()) {
    judged.particulars +=
        fmt::format("{}flaky: {} of {} times when it was sent again",
                    judged.particulars.empty() ? "" : "; ", finding.shown, finding.tries);
  }
  add_finding(std::move(judged), record, finding.standard_error, one);
  one.reproduce = finding.reproduce;
  return one;
}

CaseResult passed(const corpus::Requirement& requirement) {
  CaseResult one;
  one.id = "fuzz/" + requirement.id;
  one.title = requirement.text;
  one.verdict = result::Verdict::pass;
  one.requirements = one.exercised = {requirement.id};
  return one;
}

std::vector<CaseResult> cases_of(const Campaign& campaign, const corpus::Ledger& ledger) {
  std::vector<CaseResult> cases;
  std::set<std::string> charged;
  for (const auto& finding : campaign.findings()) {
    cases.push_back(case_of(finding));
    charged.insert(finding.requirement);
  }
  for (const auto& requirement : ledger.requirements()) {
    if (charged.count(requirement.id) == 0 && campaign.exercised().contains(requirement.id)) {
      cases.push_back(passed(requirement));
    }
  }
  return cases;
}

void add_notes(const Campaign& campaign, result::Run& run) {
  const Tally tally = campaign.tally();
  run.notes.push_back(
      fmt::format("This is a campaign of jrpcheck fuzz: {}, {} answered, {} of replies.",
                  number_of(tally.exchanges, "message"),
                  number_of(tally.answered_calls, "valid call"), number_of(tally.shapes, "shape")));
  if (tally.answered_calls == 0) {
    run.notes.emplace_back("No valid call was answered as it must be: nothing was tested.");
  }
  // An interruption looks as if there were no server any more.
  if (!campaign.lost().empty() && run.interrupted.empty()) {
    run.notes.push_back("The server was lost: " + campaign.lost());
  }
  if (campaign.has_grown_unexplained()) {
    run.notes.push_back(fmt::format(
        "The server's memory grew from {} to {}, but steadily with none of the latest messages.",
        in_mebibytes(tally.memory->at_first), in_mebibytes(tally.memory->now)));
  }
  if (tally.unconfirmed > 0) {
    run.notes.push_back(number_of(tally.unconfirmed, "suspicion") +
                        " not confirmed when the message was sent again: no finding.");
  }
  for (const auto& each : campaign.sightings()) run.notes.push_back(in_words(each));
  if (tally.unsettled > 0) {
    run.notes.push_back(number_of(tally.unsettled, "suspicion") +
                        " not settled when the campaign was ended: no finding.");
  }
}

}  // namespace

void add_finding(judge::Finding finding, const std::vector<Asked>& record,
                 const std::string& standard_error, CaseResult& one) {
  Transcript transcript(one.transcript);
  finding.step += transcript.step();
  one.findings.push_back(std::move(finding));
  for (const auto& asked : record) transcript.add(asked);
  transcript.add_standard_error(standard_error);
}

corpus::Case case_sending(const std::vector<Asked>& record) {
  corpus::Case one;
  for (const auto& asked : record) {
    corpus::Step step;
    step.messages = asked.messages;
    step.write_at = asked.cuts;
    step.frames = asked.frames;
    one.steps.push_back(std::move(step));
  }
  return one;
}

result::Run to_run(result::Run begun, std::vector<CaseResult> cases, const corpus::Corpus& corpus) {
  std::set<std::string> named;
  for (const auto& one : cases) {
    named.insert(one.requirements.begin(), one.requirements.end());
    named.insert(one.exercised.begin(), one.exercised.end());
  }
  result::Scope scope{corpus.profile.classes, {}, false};
  for (const auto& requirement : corpus.ledger.requirements()) {
    if (named.count(requirement.id) != 0) continue;
    scope.inapplicable.emplace(requirement.id, "nothing was found that breaks it");
  }
  begun.cases = std::move(cases);
  result::summarise(begun, corpus.ledger, scope);
  return begun;
}

result::Run to_run(result::Run begun, const Campaign& campaign, const corpus::Corpus& corpus) {
  begun.duration = campaign.tally().took;
  add_notes(campaign, begun);
  return to_run(std::move(begun), cases_of(campaign, corpus.ledger), corpus);
}

}  // namespace jrpcheck::fuzz
