#include "traffic/account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "base/kept.hpp"
#include "dialogue/transcript.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Direction;
using dialogue::Side;
using dialogue::TrafficEvent;

// Of each thing that is wrong so many are told as they happen; all are counted.
constexpr std::size_t kToldOfEach = 3;
// More different things than anybody reads; each has some ten KiB of evidence.
constexpr std::size_t kMostKnown = 500;
constexpr std::size_t kMostUnjudged = 2000;
constexpr std::size_t kMostSessions = 100;
constexpr std::size_t kMostKept = 64U << 20;
// A message is kept in little more than it takes itself, so that not much is added in between.
constexpr std::size_t kCountedEach = 4U << 20;
constexpr std::size_t kMostMethods = 500;
constexpr std::size_t kMostSessionsNamed = 20;
constexpr std::string_view kOtherMethods = "(other methods)";

std::string case_id(Side side) { return "traffic/" + std::string(name_of(side)); }

dialogue::Event event_of(Direction direction, const std::string& text) {
  auto excerpt = dialogue::excerpt(text);
  dialogue::Event event{direction, {}, std::move(excerpt.bytes)};
  event.left_out = excerpt.left_out;
  return event;
}

// What was sent and what came, as the reports show it of a case.
std::vector<dialogue::Event> evidence_of(const judge::TrafficFinding& finding,
                                         const TrafficEvent& event) {
  std::vector<dialogue::Event> events;
  const std::string& text = finding.message ? *finding.message : event.message.text();
  const bool is_own = finding.message || finding.side == event.side;
  if (!finding.call.empty()) events.push_back(event_of(Direction::sent, finding.call));
  // A client asks by itself; what it answers comes back to what it was told.
  const bool asks = finding.side == Side::client && finding.call.empty();
  if (is_own && !text.empty()) {
    events.push_back(event_of(asks ? Direction::sent : Direction::received, text));
  }
  for (auto& each : events) each.at = finding.at;
  return events;
}

}  // namespace

Account::Account(const corpus::Corpus& corpus, Origin origin)
    : corpus_(corpus),
      law_of_clients_(judge::client_law_of(corpus)),
      origin_(std::move(origin)),
      servers_(corpus, origin_.is_from_the_beginning),
      judge_({&corpus.ledger, origin_.binding, origin_.is_from_the_beginning,
              judge::old_calls_of(corpus.profile),
              corpus.profile.errors_without_id ? &*corpus.profile.errors_without_id : nullptr,
              servers_.has_law(), servers_.opening_method()}) {}

void Account::use(const wire::Binding& binding, std::size_t connection) {
  const bool is_upgraded = binding.is_upgrade && origin_.binding->pairs_replies;
  (is_upgraded ? upgraded_ : origin_.binding) = &binding;
  judge_.use(binding, connection);
}

std::vector<judge::TrafficFinding> Account::take(const TrafficEvent& event) {
  last_ = std::max(last_, event.at);
  has_exchanges_ = has_exchanges_ || event.exchange.has_value();
  auto shown = judge_.take(event);
  judge_session(event, shown);
  servers_.take(event, shown);
  for (const auto& each : shown.answered) note_answer(each);
  const bool is_message = event.kind == TrafficEvent::Kind::message;
  keep_within_memory(is_message ? event.message.memory() : event.message.text().size());
  return note_findings(std::move(shown), event);
}

std::vector<judge::TrafficFinding> Account::note_findings(judge::TrafficShown shown,
                                                          const TrafficEvent& event) {
  std::vector<judge::TrafficFinding> told;
  for (auto& each : shown.findings) {
    // Names in a message are as long as somebody makes them.
    for (auto* text : {&each.finding.place.pointer, &each.finding.particulars}) {
      *text = dialogue::excerpt(*text, dialogue::kOfFinding).bytes;
    }
    name_session(each.finding);
    if (note_finding(each, event)) told.push_back(std::move(each));
  }
  return told;
}

// What is wrong in one session is told of that one, and of so many that somebody reads it.
void Account::name_session(judge::Finding& finding) {
  if (finding.about.empty()) return;
  const Identity alike{Side::client, finding.requirement, finding.symptom, finding.place.pointer,
                       ""};
  const bool has_room = named_.size() < kMostKnown || named_.contains(alike);
  auto* named = has_room ? &named_[alike] : nullptr;
  const bool is_named =
      named != nullptr && (named->size() < kMostSessionsNamed || named->contains(finding.about));
  if (is_named) {
    named->insert(finding.about);
  } else {
    finding.about = "further sessions";
  }
  auto& sentence = finding.particulars;
  const bool ends = sentence.ends_with('.');
  if (ends) sentence.pop_back();
  sentence += " (" + finding.about + ")" + (ends ? "." : "");
}

std::vector<judge::TrafficFinding> Account::end() {
  auto shown = judge_.end();
  const TrafficEvent none{TrafficEvent::Kind::closed, Side::server, last_};
  if (over_http_) add_shown(over_http_->end(), none, shown);
  servers_.end(shown);
  return note_findings(std::move(shown), none);
}

std::vector<judge::TrafficFinding> Account::forget(std::size_t connection) {
  auto shown = judge_.forget(connection);
  servers_.forget(connection, shown);
  auto told = note_findings(std::move(shown), {});
  sessions_.erase(connection);
  unjudged_.erase(connection);
  if (over_http_) over_http_->forget(connection);
  return told;
}

std::vector<judge::TrafficFinding> Account::take_head(const HttpHead& head) {
  const auto& profile = corpus_.profile;
  servers_.take_head(head);
  const bool has_rules = judge::ClientRules::knows(profile.family) && profile.has_place("http");
  if (!origin_.is_from_the_beginning || !has_rules) return {};
  if (!over_http_) over_http_.emplace(law_of_clients_);
  TrafficEvent event{TrafficEvent::Kind::message, head.side, head.at, head.connection};
  event.message = head.method + " " + head.target;
  judge::TrafficShown shown;
  add_shown(over_http_->take_head(head), event, shown);
  keep_within_memory(kept_by(head.target) + kept_in(head.fields));
  return note_findings(std::move(shown), event);
}

void Account::lose_sessions() {
  if (over_http_) over_http_->lose();
}

void Account::add_shown(judge::Judgement judgement, const TrafficEvent& event,
                        judge::TrafficShown& shown) {
  const auto exercised = judgement.exercised.in_order();
  exercised_in_sessions_.insert(exercised.begin(), exercised.end());
  for (auto& each : judgement.findings) {
    // What is judged once it is answered.
    std::string call = event.side == Side::server ? each.actual : "";
    shown.findings.push_back(
        {Side::client, std::move(each), event.at, event.connection, std::move(call)});
  }
}

// Whoever is judged from the middle of a session is judged wrongly: where it is not known, or not
// any more, whose beginning is missing, nobody is.
void Account::leave_unjudged(std::size_t connection) {
  sessions_.erase(connection);
  if (connection != dialogue::kAnyConnection && unjudged_.size() < kMostUnjudged) {
    unjudged_.insert(connection);
    return;
  }
  judges_sessions_ = false;
  sessions_.clear();
  unjudged_.clear();
}

std::size_t Account::Session::kept() const {
  return sizeof *this + rules.kept() + kept_by(note) + (unframed ? unframed->text().size() : 0);
}

std::size_t Account::kept() const {
  return kept_in(sessions_, [](const auto& each) { return each.second.kept(); }) +
         (over_http_ ? over_http_->kept() : 0) + servers_.kept();
}

void Account::keep_within_memory(std::size_t taken) {
  constexpr std::size_t kOfAnEvent = 200;
  uncounted_ += kOfAnEvent + taken;
  if (uncounted_ < kCountedEach) return;
  uncounted_ = 0;
  servers_.keep_within(kMostKept / 2);
  // Where there are both, neither takes all from the other.
  const std::size_t most = over_http_ ? kMostKept / 2 : kMostKept;
  std::vector<std::pair<std::size_t, std::size_t>> kept;
  for (const auto& [connection, session] : sessions_) kept.emplace_back(session.kept(), connection);
  for (const auto connection : largest_beyond(most, std::move(kept))) leave_unjudged(connection);
  if (!over_http_) return;
  over_http_->keep_within(sessions_.empty() ? kMostKept : most);
}

void Account::judge_session(const TrafficEvent& event, judge::TrafficShown& shown) {
  using Kind = TrafficEvent::Kind;
  if (over_http_) add_shown(over_http_->take(event), event, shown);
  const bool is_of_stream = !event.exchange && event.http_status == 0;
  if (!is_of_stream || !judge::ClientRules::knows(corpus_.profile.family)) return;
  if (!origin_.is_from_the_beginning || !judges_sessions_) return;
  if (unjudged_.contains(event.connection)) return;
  if (event.kind == Kind::lost) return leave_unjudged(event.connection);
  if (event.kind == Kind::closed && event.side == Side::client) {
    sessions_.erase(event.connection);
    return;
  }
  const json::Value* value = event.kind == Kind::message ? event.message.value() : nullptr;
  const bool is_unframed = event.kind == Kind::violation && event.side == Side::client;
  if (value == nullptr && !is_unframed) return;
  // A session is begun by its client.
  if (event.side == Side::server && !sessions_.contains(event.connection)) return;
  if (sessions_.size() >= kMostSessions && !sessions_.contains(event.connection)) {
    return leave_unjudged(event.connection);
  }
  auto& session = sessions_.try_emplace(event.connection, law_of_clients_).first->second;
  if (event.side == Side::server) {
    session.rules.tell(*value);
  } else {
    // What stands last may be cut off by an end that is nobody's fault.
    if (session.unframed) session.rules.hear_unframed(session.unframed->text(), session.note);
    session.unframed.reset();
    if (is_unframed && origin_.binding->has_heads()) {
      session.unframed = event.message;
      session.note = event.note;
    } else if (!is_unframed) {
      session.rules.hear(*value);
    }
  }
  add_shown(session.rules.take(), event, shown);
}

void Account::note_answer(const judge::AnsweredCall& answer) {
  if (answer.caller != Side::client) return;
  all_.add(answer.latency);
  const bool has_room = methods_.size() < kMostMethods || methods_.count(answer.method) != 0;
  auto& method = methods_[has_room ? answer.method : std::string(kOtherMethods)];
  method.latencies.add(answer.latency);
  if (answer.is_error) ++method.errors;
}

// However many things are wrong, no requirement is said to be kept that was not.
bool Account::is_charged(Side side, const judge::Finding& finding) const {
  const auto& requirement = finding.requirement;
  auto each = known_.lower_bound({side, requirement, judge::Symptom{}, "", ""});
  for (; each != known_.end(); ++each) {
    const auto& known = each->second.first;
    if (known.side != side || known.finding.requirement != requirement) return false;
    if (known.finding.severity >= finding.severity) return true;
  }
  return false;
}

bool Account::note_finding(const judge::TrafficFinding& finding, const TrafficEvent& event) {
  const Identity identity{finding.side, finding.finding.requirement, finding.finding.symptom,
                          finding.finding.place.pointer,
                          finding.method + "\n" + finding.finding.about};
  const auto found = known_.find(identity);
  if (found != known_.end()) return ++found->second.count <= kToldOfEach;
  if (known_.size() >= kMostKnown && is_charged(finding.side, finding.finding)) return false;
  known_.emplace(identity, Known{finding, evidence_of(finding, event), 1});
  return true;
}

std::set<std::string> Account::shown_of(Side side) const {
  auto ids = judge::shown_by_traffic(side);
  if (side == Side::server) ids.merge(servers_.requirements_of_all());
  return ids;
}

result::CaseResult Account::case_of(Side side) const {
  result::CaseResult one;
  one.id = case_id(side);
  one.title = side == Side::client ? "What the client said" : "What the server said";
  one.duration = last_;
  for (const auto& id : shown_of(side)) one.requirements.push_back(id);
  const auto& exercised = judge_.exercised(side);
  one.exercised.assign(exercised.begin(), exercised.end());
  const auto by_law = side == Side::client ? exercised_in_sessions_ : servers_.exercised();
  if (side == Side::server) one.observations = servers_.observations();
  one.exercised.insert(one.exercised.end(), by_law.begin(), by_law.end());
  one.reason = "it did not occur in this traffic";
  for (const auto& [identity, known] : known_) {
    if (known.first.side != side) continue;
    auto finding = known.first.finding;
    finding.step = one.findings.size();
    if (known.count > 1) {
      const bool is_sentence = finding.particulars.ends_with('.');
      if (is_sentence) finding.particulars.pop_back();
      finding.particulars += fmt::format("{}{} times{}", finding.particulars.empty() ? "" : ", ",
                                         known.count, is_sentence ? "." : "");
    }
    for (auto event : known.events) {
      event.step = finding.step;
      one.transcript.push_back(std::move(event));
    }
    one.findings.push_back(std::move(finding));
  }
  const bool has_shown = !one.exercised.empty() || !one.findings.empty();
  one.verdict = has_shown ? result::worst_of(one.findings) : result::Verdict::not_exercised;
  if (has_shown) one.reason.clear();
  return one;
}

std::vector<const wire::Binding*> Account::bindings() const {
  if (upgraded_ == nullptr) return {origin_.binding};
  if (!has_exchanges_) return {upgraded_};
  return {origin_.binding, upgraded_};
}

result::Run Account::run() const {
  const auto carried = bindings();
  result::Run run;
  run.corpus_cases = corpus_.cases.size();
  run.corpus_hash = corpus_.hash;
  run.profile = corpus_.profile.name;
  run.target = {origin_.target, origin_.transport, std::string(carried.front()->name)};
  run.started = origin_.started;
  run.duration = last_;
  run.cases = {case_of(Side::server), case_of(Side::client)};
  result::Scope scope;
  scope.all_selected = false;  // what did not occur is not known
  // JSON-RPC's own rules hold whatever protocol the profile sets on top of it.
  scope.classes = {"client"};
  for (const auto& name : corpus_.profile.classes) {
    const bool applies = std::ranges::any_of(carried, [&](const auto* binding) {
      const bool has_rules =
          (binding->is_stream() || over_http_) && judge::ClientRules::knows(corpus_.profile.family);
      return corpus_.profile.is_of_clients(name) ? has_rules
                                                 : corpus_.profile.applies_class(binding, name);
    });
    if (applies) scope.classes.push_back(name);
  }
  result::summarise(run, corpus_.ledger, scope);
  const auto of_server = shown_of(Side::server);
  const auto of_client = shown_of(Side::client);
  for (auto& each : run.requirements) {
    if (each.verdict != result::Verdict::not_exercised) continue;
    const auto& id = each.requirement.id;
    const bool can_occur = of_server.contains(id) || of_client.contains(id);
    // Of those for clients of the protocol on top some are shown by what happens to pass.
    const bool may_occur = corpus_.profile.is_of_clients(each.requirement.class_name) &&
                           judge::ClientRules::knows(corpus_.profile.family);
    each.reason = can_occur   ? "it did not occur in this traffic"
                  : may_occur ? "it did not occur in this traffic, or traffic alone does not show "
                                "it; jrpcheck client asks"
                              : "traffic alone does not show it; jrpcheck run and client ask";
  }
  return run;
}

result::Run unjudged_run(const corpus::Corpus& corpus, Origin origin, const std::string& failure) {
  auto run = Account(corpus, std::move(origin)).run();
  run.failure = failure;
  run.interrupted = failure;
  run.notes.push_back(failure);
  for (auto& each : run.cases) each.reason = failure;
  for (auto& each : run.requirements) {
    if (each.verdict == result::Verdict::not_exercised) each.reason = failure;
  }
  return run;
}

}  // namespace jrpcheck::traffic
