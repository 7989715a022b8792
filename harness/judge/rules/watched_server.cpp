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
using dialogue::Message;
using json::Value;

// Both of its messages, as they are parsed.
constexpr std::size_t kLargestOpening = 512U << 10;
// A session that is longer is not judged as a whole.
constexpr std::size_t kLongestLog = 2U << 20;
constexpr std::size_t kMostLogged = 5000;
constexpr std::size_t kMostCodes = 100;
constexpr std::size_t kLongestVersion = 100;

// The steps of what is judged at once.
constexpr std::size_t kOfOpening = 0;
constexpr std::size_t kAtHand = 1;

Law part_of(const Law& law, const corpus::Ledger& ledger, Needs needs) {
  Law part = law;
  std::erase_if(part.rules, [&](const AskedRule& each) {
    return each.row->needs != needs || ledger.find(each.charges) == nullptr;
  });
  if (needs != Needs::message) part.schemas.reset();
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

PassingLaw in_parts(const Law& law, const corpus::Ledger& ledger) {
  PassingLaw parts{part_of(law, ledger, Needs::message),
                   part_of(law, ledger, Needs::opening),
                   part_of(law, ledger, Needs::handshake),
                   part_of(law, ledger, Needs::session),
                   {}};
  drop_particular_rules(parts.of_opening);
  const auto& opening = law.profile.opening;
  if (!opening.empty()) {
    parts.ready_method = json::text_of(Message(opening.back()).find("method"));
  }
  return parts;
}

Event event_of(Direction direction, const Message& message, std::size_t step) {
  Event event{direction, {}, message.text()};
  event.step = step;
  event.message = message;
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

void add(Judgement more, Judgement& judgement) {
  judgement.exercised.merge(more.exercised);
  for (const auto& each : more.observations) judgement.observe(each.name, each.value);
  std::ranges::move(more.findings, std::back_inserter(judgement.findings));
}

bool is_own(const Value& message) { return message.find("method") != nullptr; }

// What the server says by itself. Beside what it answers in one Array each stands for itself.
std::vector<Message> own_in(const Message& message) {
  const Value& value = *message.value();
  if (!value.is(json::Kind::array)) {
    return is_own(value) ? std::vector<Message>{message} : std::vector<Message>();
  }
  const auto& all = value.children();
  if (!all.empty() && std::ranges::all_of(all, is_own)) return {message};
  std::vector<Message> own;
  for (const auto& each : all) {
    if (is_own(each)) own.emplace_back(json::write(each));
  }
  return own;
}

// What is given in parts has a result without them (LSP Base Protocol § Partial Result Progress),
// and what becomes a task has another (MCP 2025-11-25, basic/utilities/tasks; since 2026-07-28 it
// says so itself, and so may others).
bool is_given_otherwise(const PassedAnswer& passed) {
  const auto has = [&](const char* pointer) {
    return json::at(*passed.call.value(), pointer) != nullptr;
  };
  const std::string type = json::text_at(*passed.answer.value(), "/result/resultType");
  return has("/params/partialResultToken") || has("/params/task") ||
         (!type.empty() && type != "complete" && type != "input_required");
}

}  // namespace

std::set<std::string> PassingLaw::requirements() const {
  std::set<std::string> all;
  for (const auto* part : {&of_messages, &of_opening, &of_handshake, &of_session}) {
    all.merge(requirements_of(*part));
  }
  return all;
}

bool PassingLaw::empty() const { return requirements().empty(); }

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
  return std::ranges::all_of(*by_version_, [](const auto& each) { return each.second.empty(); });
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
  return laws_.of(agreed_.empty() ? version : agreed_);
}

Judgement WatchedServer::hear(const Message& message) {
  if (message.value() == nullptr) {
    forget_log();
    return {};
  }
  const std::string method = json::text_of(message.find("method"));
  if (!method.empty() && method == laws_.opening_method()) {
    forget_opening();
    // What is opened again begins anew.
    if (was_opened_) log_.clear();
    if (was_opened_) of_log_ = 0;
    was_opened_ = true;
    was_ready_ = false;
  }
  log(Direction::sent, message);
  const auto code = error_code_of(*message.value());
  if (code && refused_with_.size() < kMostCodes) refused_with_.insert(*code);
  const auto* law = law_of("");
  const bool is_ready = law != nullptr && !law->ready_method.empty() && method == law->ready_method;
  if (!is_ready || was_ready_ || !is_logged_) return {};
  was_ready_ = true;
  return judged(log_, law->of_handshake, laws_.ledger());
}

void WatchedServer::log(Direction direction, const Message& message) {
  if (!is_logged_) return;
  of_log_ += sizeof(Event) + message.text().size();
  log_.push_back(event_of(direction, message, kAtHand));
  log_.back().message.reset();  // as long as it is not judged
  if (log_.size() > kMostLogged || of_log_ > kLongestLog) forget_log();
}

void WatchedServer::forget_log() {
  is_logged_ = false;
  of_log_ = 0;
  log_ = {};
}

void WatchedServer::forget_opening() {
  opening_ = {};
  of_opening_.reset();
}

Judgement WatchedServer::end() {
  const auto* law = law_of(judged_by_.empty() ? "" : *judged_by_.begin());
  const bool is_of_one = judged_by_.size() <= 1;
  if (!is_logged_ || !is_of_one || law == nullptr || law->of_session.rules.empty()) return {};
  Law of_session = law->of_session;
  of_session.catalogue = catalogue();
  return judged(log_, of_session, laws_.ledger());
}

// What was declared, and the tools that the client was told of: none of which it was told twice,
// in two ways, and none at all where there may have been others meanwhile.
std::shared_ptr<const corpus::Catalogue> WatchedServer::catalogue() const {
  auto catalogue = std::make_shared<corpus::Catalogue>();
  if (of_opening_) catalogue->declared = of_opening_->catalogue->declared.clone();
  const Heard heard(log_);
  std::map<std::string, std::set<std::string>> told;  // by name
  for (const auto& each : heard.all()) {
    if (each.by_server && each.method() == "notifications/tools/list_changed") return catalogue;
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

Judgement WatchedServer::tell(const Message& message, const std::string& version) {
  if (message.value() == nullptr) {
    forget_log();
    return {};
  }
  log(Direction::received, message);
  const auto* law = law_of(version);
  Judgement judgement;
  if (law == nullptr) return judgement;
  for (const auto& each : own_in(message)) {
    auto at_hand = event_of(Direction::received, each, kAtHand);
    add(judged({at_hand}, law->of_messages, laws_.ledger()), judgement);
    if (opening_.empty()) continue;
    auto behind_opening = opening_;
    behind_opening.push_back(std::move(at_hand));
    add(judged(behind_opening, *of_opening_, laws_.ledger()), judgement);
  }
  return judgement;
}

Judgement WatchedServer::answer(const PassedAnswer& passed, const std::string& version) {
  if (passed.call.value() == nullptr || passed.answer.value() == nullptr) return {};
  if (is_given_otherwise(passed)) return {};
  const bool is_opening = !passed.method.empty() && passed.method == laws_.opening_method();
  if (is_opening) note_opening(passed);
  // What names no version is judged by the one that was asked for.
  const auto* law =
      law_of(is_opening ? json::text_at(*passed.call.value(), "/params/protocolVersion") : version);
  // A server may hand on by what code it was refused itself.
  const auto code = error_code_of(*passed.answer.value());
  if (law == nullptr || (code && refused_with_.contains(*code))) return {};
  if (judged_by_.size() < 2) judged_by_.insert(law->of_messages.profile.version);
  auto answer = event_of(Direction::received, passed.answer, kAtHand);
  if (passed.http_status != 0) {
    answer.http.emplace();
    answer.http->status = passed.http_status;
  }
  const std::vector<Event> both = {event_of(Direction::sent, passed.call, kAtHand),
                                   std::move(answer)};
  auto judgement = judged(both, law->of_messages, laws_.ledger());
  if (is_opening) add(judged(both, law->of_opening, laws_.ledger()), judgement);
  return judgement;
}

void WatchedServer::note_opening(const PassedAnswer& passed) {
  forget_opening();
  const Value* result = passed.answer.find("result");
  if (result == nullptr) return;
  const std::string& named = json::text_of(result->find("protocolVersion"));
  if (named.size() <= kLongestVersion) agreed_ = named;
  const auto* law = law_of("");
  if (law == nullptr || passed.call.memory() + passed.answer.memory() > kLargestOpening) return;
  opening_ = {event_of(Direction::sent, passed.call, kOfOpening),
              event_of(Direction::received, passed.answer, kOfOpening)};
  of_opening_ = law->of_opening;
  auto catalogue = std::make_shared<corpus::Catalogue>();
  catalogue->declared = result->clone();
  of_opening_->catalogue = std::move(catalogue);
}

std::size_t WatchedServer::kept() const {
  std::size_t kept = sizeof *this + of_log_;
  for (const auto& each : opening_) {
    // What was declared is kept once more.
    kept += each.bytes.size() + 2 * each.message->memory();
  }
  return kept;
}

std::string version_named_in(const Value& message) {
  const std::string named =
      json::text_at(message, "/params/_meta/io.modelcontextprotocol~1protocolVersion");
  return named.size() <= kLongestVersion ? named : std::string();
}

bool shows_version(const Value& answer, const std::string& version) {
  const Value* all = json::at(answer, "/result/supportedVersions");
  const auto is_it = [&](const Value& each) { return json::text_of(&each) == version; };
  const bool is_supported =
      all != nullptr && all->is(json::Kind::array) && std::ranges::any_of(all->children(), is_it);
  return is_supported || json::at(answer, "/result/resultType") != nullptr;
}

}  // namespace jrpcheck::judge
