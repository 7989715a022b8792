#include "client/dialogue_script.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::client {
namespace {

constexpr std::size_t kMostHeard = 10'000;
constexpr std::string_view kNoSuchMethod =
    R"({"error":{"code":-32601,"message":"Method not found"}})";

// What all its sessions declare is what the last one does.
std::string declared_in(const json::Value& opening) {
  const json::Value* capabilities = json::at(opening, "/params/capabilities");
  return capabilities == nullptr ? "{}" : json::write(*capabilities);
}

std::string method_of(const json::Value& message) {
  const json::Value* method = message.find("method");
  return method != nullptr && method->is(json::Kind::string) ? method->text() : "";
}

}  // namespace

DialogueScript::DialogueScript(const corpus::Dialogues& all, const corpus::Dialogue& one,
                               const std::string& family, const corpus::Ledger& ledger)
    : all_(all), one_(one), rules_(family, ledger) {}

DialogueScript::Turn DialogueScript::hear(const std::string& text, const wire::HttpFields* fields) {
  const auto parsed = json::parse(text);
  const std::lock_guard lock(mutex_);
  if (!parsed) return {};
  const json::Value& message = *parsed.value;
  rules_.hear(message, fields);
  Turn turn;
  turn.was_read = true;
  if (message.is(json::Kind::array)) return turn;  // the rules say what is wrong with it
  const std::string method = method_of(message);
  if (method.empty()) {
    hear_response(message, text);
    return turn;
  }
  if (notes_.methods.size() < kMostHeard) notes_.methods.push_back(method);
  if (notes_.was_opened) ++notes_.after_opening;
  if (notes_.was_said && notes_.methods_since.size() < kMostHeard) {
    notes_.methods_since.push_back(method);
  }
  is_ready_ = is_ready_ || method == all_.ready;
  turn.is_opening = method == "initialize";
  if (turn.is_opening) notes_.capabilities = declared_in(message);
  if (turn.is_opening && notes_.was_sent_away) notes_.has_begun_anew = true;
  if (message.find("id") != nullptr) turn.answer = answer_to(message, method);
  return turn;
}

void DialogueScript::hear_response(const json::Value& message, const std::string& text) {
  const json::Value* id = message.find("id");
  const std::string spelled = id == nullptr ? "" : json::write(*id);
  const auto asks = [&](const std::string& own) {
    const auto parsed = json::parse(own);
    const json::Value* of_own = parsed ? parsed.value->find("id") : nullptr;
    return of_own != nullptr && json::write(*of_own) == spelled;
  };
  const bool is_due = notes_.was_said && std::any_of(one_.say.begin(), one_.say.end(), asks);
  if (is_due && notes_.answers.emplace(spelled, text).second) return;
  if (notes_.strays.size() < kMostHeard) notes_.strays.push_back(text);
}

std::string DialogueScript::answer_to(const json::Value& message, const std::string& method) const {
  const auto own = one_.answers.find(method);
  const auto usual = all_.answers.find(method);
  std::string members(kNoSuchMethod);
  if (usual != all_.answers.end()) members = usual->second;
  if (own != one_.answers.end()) members = own->second;
  const json::Value* version = json::at(message, "/params/protocolVersion");
  const bool has_version = version != nullptr && version->is(json::Kind::string);
  replace_all(members, "\"${version}\"", has_version ? json::write(*version) : "\"2025-11-25\"");
  return R"({"jsonrpc":"2.0","id":)" + json::write(*message.find("id")) + "," + members.substr(1);
}

void DialogueScript::hear_unframed(const std::string& bytes, const std::string& note) {
  const std::lock_guard lock(mutex_);
  rules_.hear_unframed(bytes, note);
}

std::vector<std::string> DialogueScript::say() {
  const std::lock_guard lock(mutex_);
  if (!is_ready_ || notes_.was_said || one_.say.empty()) return {};
  notes_.was_said = true;
  return one_.say;
}

void DialogueScript::tell(const std::string& text) {
  const auto parsed = json::parse(text);
  const std::lock_guard lock(mutex_);
  if (!parsed) return;
  rules_.tell(*parsed.value);
  // What answers initialize has what the server can do.
  if (json::at(*parsed.value, "/result/capabilities") != nullptr) notes_.was_opened = true;
}

bool DialogueScript::is_settled() const {
  const std::lock_guard lock(mutex_);
  if (!notes_.was_said) return true;
  const auto calls_anew = [&](const std::string& each) { return each == one_.awaits; };
  const bool has_come = one_.awaits.empty() || std::any_of(notes_.methods_since.begin(),
                                                           notes_.methods_since.end(), calls_anew);
  return !one_.stays_silent && has_come && notes_.answers.size() >= one_.owed.size();
}

void DialogueScript::give_time() {
  const std::lock_guard lock(mutex_);
  notes_.has_had_time = true;
}

std::string DialogueScript::begin_session() {
  const std::lock_guard lock(mutex_);
  session_ = "jrpcheck-session-" + std::to_string(++sessions_);
  rules_.begin_session(session_);
  return session_;
}

bool DialogueScript::is_sent_away(const std::string& session) {
  const std::lock_guard lock(mutex_);
  if (!one_.forgets_session) return false;
  if (is_ready_ && !notes_.was_sent_away && session == session_) {
    notes_.was_sent_away = true;
    session_.clear();
    rules_.forget_session();
  }
  return !session.empty() && session != session_;
}

DialogueNotes DialogueScript::notes() {
  const std::lock_guard lock(mutex_);
  notes_.by_rules = rules_.take();
  return notes_;
}

}  // namespace jrpcheck::client
