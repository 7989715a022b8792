#include "fuzz/clients/client_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/number_of.hpp"
#include "client/trial_judge.hpp"
#include "client/wire_form.hpp"
#include "dialogue/traffic.hpp"
#include "fuzz/clients/answer_text.hpp"
#include "fuzz/reduce.hpp"
#include "fuzz/shape.hpp"

namespace jrpcheck::fuzz {
namespace {

using client::Look;

// Who is slow seems to wait: only who waits longer as well is charged.
constexpr int kLongerLook = 3;
// Each try starts the client, and one that waits takes the time of that.
constexpr std::size_t kTriesToReduce = 150;
constexpr std::size_t kTriesToReduceWaiting = 12;
// What does not show again may depend on time alone.
constexpr unsigned kMostInVain = 3;
constexpr std::size_t kOfEachOutput = 80;

// Numbers and places differ from run to run.
std::string without_digits(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    if (c < '0' || c > '9') kept += c;
  }
  return kept.substr(0, kOfEachOutput);
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \r\n");
  if (end == std::string::npos) return {};
  const auto before = text.rfind('\n', end);
  const auto begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, end + 1 - begin);
}

// How the client has taken it, as far as others can see.
std::string shape_of(const Look& look) {
  std::size_t messages = 0;
  for (const auto& event : look.traffic) {
    if (event.side == dialogue::Side::client) ++messages;
  }
  return fmt::format("{}|{}|{}|{}|{}", look.ending, look.waits, std::min<std::size_t>(messages, 20),
                     without_digits(look.printed), without_digits(last_line(look.standard_error)));
}

judge::Finding death_of(const Look& look) {
  judge::Finding finding;
  finding.requirement = "cl-survives";
  finding.symptom = judge::Symptom::outcome_of_case;
  finding.particulars = "The program dies of the answer.";
  finding.expected = "it goes on, or ends by itself";
  finding.actual = "it " + look.ending + client::last_words_of(look.standard_error);
  return finding;
}

judge::Finding waiting() {
  judge::Finding finding;
  finding.requirement = "cl-close";
  finding.symptom = judge::Symptom::outcome_of_case;
  finding.particulars =
      "The client is left waiting after the answer and the end of the connection.";
  finding.expected = "every call ends";
  finding.actual = "nothing passes";
  return finding;
}

std::pair<std::string, judge::Symptom> identity_of_finding(const judge::Finding& finding) {
  return {finding.requirement, finding.symptom};
}

}  // namespace

ClientCampaign::ClientCampaign(const corpus::Corpus& corpus, const client::Door& door,
                               client::Manner& manner, client::Premises& premises,
                               const Limits& limits, Found found)
    : corpus_(corpus),
      door_(door),
      manner_(manner),
      premises_(premises),
      limits_(limits),
      found_(std::move(found)),
      budget_(limits) {}

bool ClientCampaign::is_worthwhile(const std::string& message) const { return !is_blank(message); }

bool ClientCampaign::is_over() const {
  const bool has_found = std::any_of(findings_.begin(), findings_.end(), [this](const auto& each) {
    return limits_.is_fault(each.finding.severity);
  });
  return !lost_.empty() || budget_.is_spent(starts_) || (has_found && !limits_.keep_going);
}

std::optional<Look> ClientCampaign::look_at(const std::string& answer, int patience) {
  if (edges_ != nullptr) edges_->clear();
  auto look = manner_.look(scenario_giving(answer), patience, premises_);
  ++starts_;
  if (!look) {
    if (!limits_.interrupted()) lost_ = look.error().message;
    return std::nullopt;
  }
  if (look->was_cut_off || !look->was_played) return std::nullopt;
  return *std::move(look);
}

std::vector<judge::Finding> ClientCampaign::findings_in(const Look& look) const {
  std::vector<judge::Finding> findings;
  if (look.has_died) findings.push_back(death_of(look));
  if (look.waits) findings.push_back(waiting());
  for (auto& each : findings) {
    each.severity = client::severity_of(each.requirement, false, corpus_.ledger);
  }
  client::WireForm form(corpus_, door_);
  form.add(look.traffic);
  auto judged = form.judged();
  for (auto& each : judged.findings) findings.push_back(std::move(each));
  return findings;
}

std::vector<Feature> ClientCampaign::feed(std::string message) {
  if (is_over() || !is_worthwhile(message)) return {};
  const auto look = look_at(message, 1);
  if (!look) return {};
  ++taken_;
  if (look->ends) ++ends_;
  auto features = features_of(*look);
  for (const auto& each : findings_in(*look)) {
    const auto identity = identity_of_finding(each);
    if (known_.count(identity) == 0 && in_vain_[identity] < kMostInVain) {
      investigate(each, message);
    }
  }
  return features;
}

std::vector<Feature> ClientCampaign::features_of(const Look& look) {
  std::vector<Feature> features;
  const std::string shape = shape_of(look);
  shapes_.insert(shape);
  features.push_back({hash_of(shape)});
  if (edges_ == nullptr) return features;
  for (const auto& each : edges_->take()) features.push_back(each);
  return features;
}

bool ClientCampaign::shows(const std::string& answer, const Identity& identity, Look& look) {
  if (budget_.is_spent(starts_)) return false;
  auto seen = look_at(answer, kLongerLook);
  if (!seen) return false;
  const auto findings = findings_in(*seen);
  const bool is_shown = std::any_of(findings.begin(), findings.end(), [&](const auto& each) {
    return identity_of_finding(each) == identity;
  });
  if (is_shown) look = *std::move(seen);
  return is_shown;
}

void ClientCampaign::investigate(const judge::Finding& finding, const std::string& answer) {
  const auto identity = identity_of_finding(finding);
  const auto before = starts_;
  ClientFinding found;
  found.finding = finding;
  if (!shows(answer, identity, found.look)) {
    ++in_vain_[identity];
    ++unconfirmed_;
    return;
  }
  const bool is_slow = found.look.waits;
  found.answer = reduce(
      answer,
      [&](const std::string& smaller) {
        return is_worthwhile(smaller) && shows(smaller, identity, found.look);
      },
      is_slow ? kTriesToReduceWaiting : kTriesToReduce);
  for (const auto& each : findings_in(found.look)) {
    if (identity_of_finding(each) == identity) found.finding = each;
  }
  found.tries = starts_ - before;
  known_.insert(identity);
  findings_.push_back(std::move(found));
  found_(findings_.back());
}

std::string name_of(const ClientFinding& finding) {
  return fmt::format("fuzz-{}-{:08x}", finding.finding.requirement, hash_of(finding.answer));
}

corpus::Scenario scenario_of(const ClientFinding& finding) {
  auto scenario = scenario_giving(finding.answer);
  scenario.id = "client/" + name_of(finding);
  // The form of what is sent is judged whatever the scenario is about.
  if (finding.look.waits) scenario.requirements = {finding.finding.requirement};
  return scenario;
}

result::Run to_run(result::Run begun, const ClientCampaign& campaign,
                   const corpus::Corpus& corpus) {
  std::set<std::string> charged;
  for (const auto& each : campaign.findings()) {
    result::CaseResult one;
    one.id = "client/" + name_of(each);
    one.title = "An answer that the campaign has made";
    one.requirements = one.exercised = {each.finding.requirement};
    one.findings = {each.finding};
    one.findings.front().step = 0;
    one.transcript = client::transcript_of(scenario_of(each), each.look.told, each.look.printed,
                                           each.look.standard_error, each.look.ending);
    one.verdict = result::worst_of(one.findings);
    one.reproduce = "jrpcheck explain " + each.finding.requirement;
    charged.insert(each.finding.requirement);
    begun.cases.push_back(std::move(one));
  }
  const auto add_passed = [&](const std::string& id) {
    if (charged.count(id) != 0) return;
    result::CaseResult one;
    one.id = "client/fuzz-" + id;
    one.title = "Answers that the campaign has made";
    one.requirements = one.exercised = {id};
    one.verdict = result::Verdict::pass;
    begun.cases.push_back(std::move(one));
  };
  if (campaign.taken() > 0) add_passed("cl-survives");
  if (campaign.has_seen_ends()) add_passed("cl-close");
  begun.notes.push_back(fmt::format(
      "This is a campaign of jrpcheck fuzz --client: {} starts of the client, of which {} came to "
      "the answer that was made, in {} shapes{}.",
      campaign.starts(), campaign.taken(), campaign.shapes(),
      campaign.edges() > 0 ? fmt::format(" and {} edges", campaign.edges()) : ""));
  if (campaign.unconfirmed() > 0) {
    begun.notes.push_back(number_of(campaign.unconfirmed(), "suspicion") +
                          " did not show again in time: no finding.");
  }
  result::summarise(begun, corpus.ledger, {{"client"}, {}, false});
  return begun;
}

}  // namespace jrpcheck::fuzz
