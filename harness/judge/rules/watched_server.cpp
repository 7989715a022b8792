#include "judge/rules/watched_server.hpp"

#include <algorithm>
#include <utility>

#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/charger.hpp"
#include "judge/code.hpp"
#include "judge/rules/law.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Direction;
using dialogue::Event;
using json::Value;

constexpr std::size_t kLongestOpening = 128U << 10;
// A session that is longer is not judged as a whole.
constexpr std::size_t kLongestLog = 2U << 20;
constexpr std::size_t kMostLogged = 5000;
constexpr std::size_t kMostCodes = 100;

// The steps of what is judged at once.
constexpr std::size_t kOfOpening = 0;
constexpr std::size_t kAtHand = 1;

Law part_of(const Law& law, const corpus::Ledger& ledger, const std::set<Needs>& needs) {
  Law part = law;
  std::erase_if(part.rules, [&](const AskedRule& each) {
    return !needs.contains(each.row->needs) || ledger.find(each.charges) == nullptr;
  });
  return part;
}

// What asks for undeclared things in general breaks one rule, not two.
void drop_particular_rules(Law& law) {
  const auto is_named = [&](std::string_view name) {
    return std::ranges::any_of(law.rules,
                               [&](const AskedRule& each) { return each.row->name == name; });
  };
  if (!is_named("requests-declared")) return;
  std::erase_if(law.rules, [](const AskedRule& each) {
    return each.row->name == "roots-declared" || each.row->name == "sampling-declared" ||
           each.row->name == "elicitation-declared";
  });
}

std::string version_asked_for(const std::string& call) {
  const auto parsed = json::parse(call, dialogue::kMessageLimits);
  return parsed ? json::text_at(*parsed.value, "/params/protocolVersion") : std::string();
}

PassingLaw in_parts(const Law& law, const corpus::Ledger& ledger) {
  PassingLaw parts{part_of(law, ledger, {Needs::message}),
                   part_of(law, ledger, {Needs::message, Needs::opening}),
                   part_of(law, ledger, {Needs::handshake}),
                   part_of(law, ledger, {Needs::session}),
                   {}};
  drop_particular_rules(parts.behind_opening);
  parts.of_handshake.schemas.reset();
  parts.of_session.schemas.reset();
  const auto& opening = law.profile.opening;
  const auto ready = opening.empty() ? json::ParseResult() : json::parse(opening.back());
  if (ready) parts.ready_method = json::text_at(*ready.value, "/method");
  return parts;
}

Event event_of(Direction direction, std::string text, std::size_t step) {
  Event event{direction, {}, std::move(text)};
  event.step = step;
  return event;
}

// What is wrong with the opening was told when it passed.
Judgement judged(const std::vector<Event>& events, const Law& law, const corpus::Ledger& ledger) {
  Judgement judgement;
  judge_by_law(events, law, ledger, judgement);
  std::erase_if(judgement.findings, [&](const Finding& each) {
    return each.step == kOfOpening || ledger.find(each.requirement) == nullptr;
  });
  return judgement;
}

bool is_own(const Value& message) { return message.find("method") != nullptr; }

bool holds_own(const Value& message) {
  if (!message.is(json::Kind::array)) return is_own(message);
  return std::ranges::any_of(message.children(), is_own);
}

// What is given in parts has a result without them (LSP Base Protocol § Partial Result Progress),
// and what becomes a task has another (MCP 2025-11-25, basic/utilities/tasks; since 2026-07-28 it
// says so itself, and so may others).
bool is_given_otherwise(const std::string& call, const Value& answer) {
  const auto asked = json::parse(call, dialogue::kMessageLimits);
  const std::string type = json::text_at(answer, "/result/resultType");
  return !asked || json::at(*asked.value, "/params/partialResultToken") != nullptr ||
         json::at(*asked.value, "/params/task") != nullptr ||
         (!type.empty() && type != "complete" && type != "input_required");
}

}  // namespace

std::set<std::string> PassingLaw::requirements() const {
  auto all = requirements_of(behind_opening);
  all.merge(requirements_of(of_handshake));
  all.merge(requirements_of(of_session));
  return all;
}

PassingLaws::PassingLaws(const corpus::Corpus& corpus) : ledger_(&corpus.ledger) {
  const auto& profile = corpus.profile;
  opening_method_ = profile.declared_by;
  const bool has_sessions = std::ranges::any_of(corpus.profiles, [&](const auto& each) {
    return each.family == profile.family && !each.opening.empty();
  });
  has_versions_ = has_sessions && !profile.versions.empty();
  std::map<std::string, PassingLaw> by_version;
  const auto add = [&](const corpus::Profile& each, const std::string& version) {
    const auto law = law_of(each, corpus.schemas);
    if (law) by_version.emplace(version, in_parts(**law, corpus.ledger));
  };
  if (!has_versions_) add(profile, "");
  for (const auto& each : corpus.profiles) {
    const bool is_asked = profile.version.empty() || profile.version == each.version;
    if (has_versions_ && each.family == profile.family && !each.version.empty() && is_asked) {
      add(each, each.version);
    }
  }
  by_version_ = std::make_shared<const std::map<std::string, PassingLaw>>(std::move(by_version));
}

bool PassingLaws::empty() const {
  return std::ranges::none_of(*by_version_, [](const auto& each) {
    const auto& [version, law] = each;
    const bool has_schemas = law.of_messages.schemas.has_value();
    return has_schemas || !law.behind_opening.rules.empty() || !law.of_handshake.rules.empty() ||
           !law.of_session.rules.empty();
  });
}

const PassingLaw* PassingLaws::of(const std::string& version) const {
  const auto found = by_version_->find(version);
  return found == by_version_->end() ? nullptr : &found->second;
}

std::set<std::string> PassingLaws::requirements() const {
  std::set<std::string> all;
  for (const auto& [version, law] : *by_version_) all.merge(law.requirements());
  return all;
}

const PassingLaw* WatchedServer::law_of(const std::string& version) const {
  if (!laws_.has_versions()) return laws_.of("");
  return laws_.of(version.empty() ? version_ : version);
}

Judgement WatchedServer::hear(const dialogue::Message& message) {
  if (message.value() == nullptr) return {};
  log(Direction::sent, message);
  const auto code = error_code_of(*message.value());
  if (code && refused_with_.size() < kMostCodes) refused_with_.insert(*code);
  if (laws_.has_versions()) {
    const auto named = version_named_in(*message.value());
    is_of_several_ = is_of_several_ || (!named.empty() && !version_.empty() && named != version_);
    if (version_.empty() && opening_.empty()) version_ = named;
  }
  const auto* law = law_of("");
  const bool is_ready = law != nullptr && !law->ready_method.empty() &&
                        json::text_of(message.find("method")) == law->ready_method;
  if (!is_ready || was_ready_ || !is_logged_) return {};
  was_ready_ = true;
  return judged(log_, law->of_handshake, laws_.ledger());
}

void WatchedServer::log(Direction direction, const dialogue::Message& message) {
  if (!is_logged_) return;
  of_log_ += sizeof(Event) + message.text().size();
  log_.push_back(event_of(direction, message.text(), kAtHand));
  if (log_.size() > kMostLogged || of_log_ > kLongestLog) forget_log();
}

void WatchedServer::forget_log() {
  is_logged_ = false;
  of_log_ = 0;
  log_ = {};
}

Judgement WatchedServer::end() {
  const auto* law = law_of("");
  if (!is_logged_ || is_of_several_ || law == nullptr || law->of_session.rules.empty()) return {};
  Law of_session = law->of_session;
  of_session.catalogue = catalogue();
  return judged(log_, of_session, laws_.ledger());
}

// What was declared, and the tools that the client was told of: none of which it was told twice,
// in two ways.
std::shared_ptr<const corpus::Catalogue> WatchedServer::catalogue() const {
  auto catalogue = std::make_shared<corpus::Catalogue>();
  if (behind_opening_) catalogue->declared = behind_opening_->catalogue->declared.clone();
  const Heard heard(log_);
  std::map<std::string, std::set<std::string>> told;  // by name
  for (const auto& each : heard.all()) {
    const Value* tools =
        each.by_server && each.called() == "tools/list" ? each.at("/result/tools") : nullptr;
    for (std::size_t i = 0; tools != nullptr && i < tools->size(); ++i) {
      const Value& tool = tools->children()[i];
      told[json::text_of(tool.find("name"))].insert(json::write(tool));
    }
  }
  std::string list = "[";
  for (const auto& [name, tools] : told) {
    if (tools.size() == 1) list += (list.size() > 1 ? "," : "") + *tools.begin();
  }
  if (auto parsed = json::parse(list + "]")) {
    catalogue->lists.emplace("tools", *std::move(parsed.value));
  }
  return catalogue;
}

Judgement WatchedServer::tell(const dialogue::Message& message, const std::string& version) {
  if (message.value() == nullptr) return {};
  log(Direction::received, message);
  const auto* law = law_of(version);
  if (law == nullptr || !holds_own(*message.value())) return {};
  auto at_hand = event_of(Direction::received, message.text(), kAtHand);
  const bool is_opened = !opening_.empty() && law == law_of("");
  if (!is_opened) {
    return judged({std::move(at_hand)}, law->of_messages, laws_.ledger());
  }
  auto events = opening_;
  events.push_back(std::move(at_hand));
  return judged(events, *behind_opening_, laws_.ledger());
}

// An answer to the opening is judged by the version that it names.
Judgement WatchedServer::answer(const PassedAnswer& passed, const std::string& version) {
  if (passed.call.empty()) return {};
  const auto value = json::parse(passed.answer, dialogue::kMessageLimits);
  if (!value || is_given_otherwise(passed.call, *value.value)) return {};
  const bool is_opening = !passed.method.empty() && passed.method == laws_.opening_method();
  if (is_opening) note_opening(passed, *value.value);
  // What names no version is judged by the one that was asked for.
  const auto* law = law_of(!is_opening        ? version
                           : version_.empty() ? version_asked_for(passed.call)
                                              : version_);
  // A server may hand on by what code it was refused itself.
  const auto code = error_code_of(*value.value);
  if (law == nullptr || (code && refused_with_.contains(*code))) return {};
  auto answer = event_of(Direction::received, passed.answer, kAtHand);
  if (passed.http_status != 0) {
    answer.http.emplace();
    answer.http->status = passed.http_status;
  }
  return judged({event_of(Direction::sent, passed.call, kAtHand), std::move(answer)},
                is_opening ? law->behind_opening : law->of_messages, laws_.ledger());
}

void WatchedServer::note_opening(const PassedAnswer& passed, const Value& answer) {
  opening_.clear();
  behind_opening_.reset();
  const Value* result = answer.find("result");
  if (result == nullptr) return;
  const std::string named = json::text_of(result->find("protocolVersion"));
  if (!named.empty()) version_ = named;
  const auto* law = law_of("");
  if (law == nullptr || passed.call.size() + passed.answer.size() > kLongestOpening) return;
  opening_ = {event_of(Direction::sent, passed.call, kOfOpening),
              event_of(Direction::received, passed.answer, kOfOpening)};
  behind_opening_ = law->behind_opening;
  auto catalogue = std::make_shared<corpus::Catalogue>();
  catalogue->declared = result->clone();
  behind_opening_->catalogue = std::move(catalogue);
}

std::size_t WatchedServer::kept() const {
  std::size_t kept = sizeof *this + of_log_;
  for (const auto& each : opening_) kept += 2 * each.bytes.size();  // what was declared is parsed
  return kept;
}

std::string version_named_in(const Value& message) {
  return json::text_at(message, "/params/_meta/io.modelcontextprotocol~1protocolVersion");
}

}  // namespace jrpcheck::judge
