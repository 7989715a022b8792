#include "client/dialogue_script.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/join.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/capability.hpp"
#include "judge/clients/stateless.hpp"

namespace jrpcheck::client {
namespace {

constexpr std::size_t kMostHeard = 10'000;
constexpr std::size_t kMostSessions = 1000;
constexpr std::string_view kNoSuchMethod =
    R"({"error":{"code":-32601,"message":"Method not found"}})";

// What all its sessions declare is what the last one does; without a handshake each request does.
std::string declared_in(const json::Value& message, bool has_handshake) {
  const json::Value* capabilities = json::at(
      message, has_handshake ? "/params/capabilities"
                             : "/params/_meta/io.modelcontextprotocol~1clientCapabilities");
  return capabilities == nullptr ? "{}" : json::write(*capabilities);
}

// How a server of 2026-07-28 says over HTTP that it refuses (basic/transports/streamable-http).
int status_of(const std::string& answer) {
  const auto parsed = json::parse(answer);
  const json::Value* code = parsed ? json::at(*parsed.value, "/error/code") : nullptr;
  if (code == nullptr) return 200;
  return json::write(*code) == "-32601" ? 404 : 400;
}

const std::string& method_of(const json::Value& message) {
  return json::text_of(message.find("method"));
}

}  // namespace

bool DialogueNotes::declares(std::string_view capability) const {
  const auto parsed = json::parse(capabilities);
  return parsed && judge::is_stated(json::at(*parsed.value, capability));
}

DialogueScript::DialogueScript(const corpus::Dialogues& all, const corpus::Dialogue& one,
                               judge::ClientLaw law)
    : all_(all), one_(one), law_(std::move(law)), own_(one) {
  if (one_.task) tasks_.emplace(*one_.task);
  if (one_.subscription) subscriptions_.emplace(*one_.subscription);
  if (one_.authorization) oauth_.emplace(*one_.authorization);
}

DialogueScript::Session* DialogueScript::session_of(const std::string& name) {
  const auto found = sessions_.find(name);
  if (found != sessions_.end()) return &found->second;
  if (sessions_.size() >= kMostSessions) return nullptr;
  auto& made = sessions_.try_emplace(name, law_).first->second;
  made.rules.know_all_that_was_told();
  return &made;
}

// A request without an id that was given is taken for one of the session that began last, whose id
// it should have had.
std::string DialogueScript::place_over_http(const json::Value& message, const std::string& session,
                                            const wire::HttpFields& fields) {
  if (method_of(message) == "initialize") {
    last_ = "jrpcheck-session-" + std::to_string(++begun_);
    notes_.sessions_begun = begun_;
    Session* fresh = session_of(last_);
    if (fresh != nullptr && notes_.was_sent_away && !notes_.has_begun_anew) {
      fresh->rules.forget_session();
    }
    return last_;
  }
  if (!session.empty() && sessions_.contains(session)) return session;
  return judge::ClientRules::needs_no_session(message, &fields) ? "" : last_;
}

DialogueScript::Turn DialogueScript::hear(const std::string& text, const std::string& session,
                                          const wire::HttpFields* fields) {
  const auto parsed = json::parse(text);
  std::unique_lock lock(mutex_);
  if (!parsed) return {};
  const json::Value& message = *parsed.value;
  if (method_of(message) != "notifications/cancelled") {
    closed_.wait_for(lock, kForHangingUp, [&] { return !withheld_.may_have_hung_up(session); });
  }
  Turn turn;
  turn_ = &turn;
  turn.was_read = true;
  turn.session = fields == nullptr ? session : place_over_http(message, session, *fields);
  Session* heard = session_of(turn.session);
  if (heard != nullptr) heard->rules.hear(message, fields);
  turn.is_opening = method_of(message) == "initialize" && message.find("id") != nullptr;
  if (turn.is_opening && heard != nullptr && fields != nullptr) {
    heard->rules.begin_session(turn.session);
  }
  if (!message.is(json::Kind::array)) {
    turn.answer = hear_one(message, text, heard, fields);
    for (const auto* all : {&turn.said, &turn.said_after}) {
      for (const auto& each : *all) notes_.said_besides.push_back(each);
    }
    const bool has_status = !judge::version_without_handshake(message, fields).empty();
    if (turn.answer && has_status) turn.status = status_of(*turn.answer);
    return turn;
  }
  // MCP 2025-03-26 has batches; of others the rules say what is wrong with it.
  std::vector<std::string> answers;
  for (const auto& each : message.children()) {
    auto answer = hear_one(each, json::write(each), heard, nullptr);
    if (answer) answers.push_back(*std::move(answer));
  }
  if (!answers.empty()) turn.answer = "[" + joined(answers, ",") + "]";
  return turn;
}

std::optional<std::string> DialogueScript::hear_one(const json::Value& message,
                                                    const std::string& text, Session* session,
                                                    const wire::HttpFields* fields) {
  const std::string method = method_of(message);
  // What was on its way when the connection was cut says nothing of what the client does after it.
  if (subscriptions_ && turn_->session != cut_session_) {
    subscriptions_->hear(message, fields != nullptr, Clock::now());
  }
  if (!one_.withholds.empty()) withheld_.hear(message, turn_->session, Clock::now());
  if (method.empty()) {
    hear_response(message, text);
    return std::nullopt;
  }
  const bool begins = method == "initialize";
  const auto version = begins ? std::string() : judge::version_without_handshake(message, fields);
  if (notes_.methods.size() < kMostHeard) notes_.methods.push_back(method);
  if (session != nullptr && session->was_opened && !begins) ++notes_.after_opening;
  if (notes_.was_said && notes_.methods_since.size() < kMostHeard) {
    notes_.methods_since.push_back(method);
  }
  if (begins || !version.empty()) notes_.capabilities = declared_in(message, begins);
  if (begins) notes_.version_asked = json::text_at(message, "/params/protocolVersion");
  if (session != nullptr && begins) session->was_opened = session->is_ready = false;
  const bool is_by_itself = all_.ready.empty() && method != "server/discover";
  if (session != nullptr && (method == all_.ready || is_by_itself)) session->is_ready = true;
  if (begins && notes_.was_sent_away) notes_.has_begun_anew = true;
  if (begins && notes_.without_handshake > 0) notes_.fell_back = true;
  if (message.find("id") == nullptr) return std::nullopt;
  note_call(message, method, version);
  return answer_to(message, method, version, fields != nullptr);
}

void DialogueScript::note_call(const json::Value& message, const std::string& method,
                               const std::string& version) {
  if (!version.empty()) {
    ++notes_.without_handshake;
    if (notes_.was_said && notes_.versions_since.size() < kMostHeard) {
      notes_.versions_since.push_back(version);
    }
  }
  const json::Value* cursor = json::at(message, "/params/cursor");
  const bool has_cursor = cursor != nullptr && !cursor->is(json::Kind::null);
  if (has_cursor && method.ends_with("/list")) notes_.asked_by_cursor = true;
  const json::Value* name = json::at(message, "/params/name");
  const bool is_tool = method == "tools/call" && name != nullptr && name->is(json::Kind::string);
  if (is_tool && notes_.tools_called.size() < kMostHeard) {
    notes_.tools_called.push_back(name->text());
  }
}

void DialogueScript::hear_response(const json::Value& message, const std::string& text) {
  const json::Value* id = message.find("id");
  const std::string spelled = id == nullptr ? "" : json::write(*id);
  if (tasks_ && tasks_->take_answer(spelled)) return;
  const bool is_due = notes_.was_said && own_.has_asked(spelled);
  if (is_due && notes_.answers.emplace(spelled, text).second) return own_.note_answer(message);
  if (notes_.strays.size() < kMostHeard) notes_.strays.push_back(text);
}

// What is said in this dialogue alone, and once alone or to one kind of client; null: nothing.
const std::string* DialogueScript::odd_answer_to(const std::string& method,
                                                 const std::string& version) {
  if (!one_.refuses_stateless.empty() && !version.empty()) return &one_.refuses_stateless;
  if (!one_.first.empty() && !version.empty() && !notes_.was_said) return &one_.first;
  const auto in_turn = one_.in_turn.find(method);
  if (in_turn == one_.in_turn.end()) return nullptr;
  if (!one_.needs.empty() && !notes_.declares(one_.needs)) return nullptr;
  auto& answered = answered_[method];
  return answered < in_turn->second.size() ? &in_turn->second[answered++] : nullptr;
}

// What tasks and subscriptions answer, which say more than that.
std::optional<std::string> DialogueScript::played(const json::Value& message, bool is_over_http) {
  if (!tasks_) return std::nullopt;
  auto turn = tasks_->answer(message, notes_.capabilities, Clock::now());
  if (!turn) return std::nullopt;
  // Over HTTP an answer ends its stream, and what comes later waits for another one.
  if (turn->is_begin && !is_over_http) turn_->said_after = tasks_->take_untold();
  turn_->said = std::move(turn->said);
  return turn->members;
}

std::string DialogueScript::members_for(const json::Value& message, const std::string& method,
                                        const std::string& version, bool is_over_http) {
  if (auto members = played(message, is_over_http)) return *members;
  if (const auto* odd = odd_answer_to(method, version)) {
    notes_.was_said = true;
    return *odd;
  }
  const auto own = one_.answers.find(method);
  if (own != one_.answers.end()) return own->second;
  const auto usual = all_.answers.find(method);
  return usual != all_.answers.end() ? usual->second : std::string(kNoSuchMethod);
}

std::optional<std::string> DialogueScript::answer_to(const json::Value& message,
                                                     const std::string& method,
                                                     const std::string& version,
                                                     bool is_over_http) {
  const std::string id = json::write(*message.find("id"));
  std::string members;
  if (subscriptions_ && method == "subscriptions/listen") {
    auto turn = subscriptions_->begin(message);
    turn_->said = std::move(turn.said);
    turn_->cuts = turn.cuts;
    if (turn.cuts) cut_session_ = turn_->session;
    turn_->stays_open = !turn.members;
    turn_->open = id;
    notes_.was_said = notes_.was_said || subscriptions_->notes().was_told;
    if (!turn.members) return std::nullopt;
    members = *turn.members;
  } else {
    members = members_for(message, method, version, is_over_http);
  }
  replace_all(members, "${url}", url_);
  const json::Value* asked = json::at(message, "/params/protocolVersion");
  const bool has_version = asked != nullptr && asked->is(json::Kind::string);
  replace_all(members, "\"${version}\"", has_version ? json::write(*asked) : "\"2025-11-25\"");
  auto answer = R"({"jsonrpc":"2.0","id":)" + id + "," + members.substr(1);
  if (method != one_.withholds || withheld_.is_there()) return answer;
  turn_->is_withheld = true;
  turn_->open = id;
  withheld_.keep(id, std::move(answer), {!version.empty(), is_over_http, turn_->session});
  return std::nullopt;
}

std::optional<std::string> DialogueScript::late_answer() {
  const std::lock_guard lock(mutex_);
  return withheld_.take_late();
}

void DialogueScript::hear_bare_head(std::string_view method, const std::string& session,
                                    const wire::HttpFields& fields) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(sessions_.contains(session) ? session : last_);
  if (found != sessions_.end()) found->second.rules.hear_bare_head(method, fields);
}

void DialogueScript::hear_unframed(const std::string& bytes, const std::string& note,
                                   const std::string& session) {
  const std::lock_guard lock(mutex_);
  if (Session* heard = session_of(session)) heard->rules.hear_unframed(bytes, note);
}

std::vector<std::string> DialogueScript::say(const std::string& session) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session);
  const bool is_ready = found != sessions_.end() && found->second.is_ready;
  if (!is_ready || one_.say.empty()) return {};
  if (!notes_.was_said) {
    notes_.was_said = true;
    said_in_ = session;
    return own_.first(url_);
  }
  if (session != said_in_) return {};
  const auto next = own_.next(notes_.capabilities, notes_.answers.size());
  if (!next) return {};
  notes_.said_besides.push_back(*next);
  return {*next};
}

void DialogueScript::note_fetch() {
  const std::lock_guard lock(mutex_);
  notes_.has_fetched = true;
}

bool DialogueScript::lets_wait() const {
  const std::lock_guard lock(mutex_);
  return tasks_ && Clock::now() < tasks_->waits_until();
}

void DialogueScript::note_closed(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (subscriptions_) subscriptions_->note_closed(id);
  withheld_.note_closed(id);
  closed_.notify_all();
}

void DialogueScript::tell(const std::string& text, const std::string& session) {
  const auto parsed = json::parse(text);
  const std::lock_guard lock(mutex_);
  Session* told = session_of(session);
  if (!parsed || told == nullptr) return;
  told->rules.tell(*parsed.value);
  // What answers initialize has what the server can do; without a handshake any result is one.
  const bool is_opening = json::at(*parsed.value, "/result/capabilities") != nullptr;
  const bool has_result = parsed.value->find("result") != nullptr;
  if (!is_opening && !(all_.ready.empty() && has_result)) return;
  told->was_opened = notes_.was_opened = true;
}

bool DialogueScript::is_settled() const {
  const std::lock_guard lock(mutex_);
  if (tasks_ && tasks_->awaits_answer()) return false;
  if (!notes_.was_said || subscriptions_) return true;
  const bool has_come = one_.awaits.empty() || contains(notes_.methods_since, one_.awaits);
  return !one_.stays_silent && has_come && own_.are_settled(notes_.answers.size());
}

void DialogueScript::give_time() {
  const std::lock_guard lock(mutex_);
  notes_.has_had_time = true;
}

bool DialogueScript::is_sent_away(const std::string& session) {
  const std::lock_guard lock(mutex_);
  if (!one_.forgets_session || session.empty()) return false;
  const auto found = sessions_.find(session);
  if (found == sessions_.end() || gone_ == session) return true;
  if (!found->second.is_ready || notes_.was_sent_away) return false;
  notes_.was_sent_away = true;
  gone_ = session;
  if (last_ == session) last_.clear();
  return true;
}

bool DialogueScript::breaks_stream(const std::string& session, const std::string& answer,
                                   const std::string& version) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session);
  const bool is_ready = found != sessions_.end() && found->second.is_ready;
  if (!one_.breaks_stream || !is_ready || notes_.was_broken) return false;
  notes_.was_broken = true;
  notes_.version_of_broken = version;
  due_ = answer;
  broken_at_ = Clock::now();
  return true;
}

std::optional<std::string> DialogueScript::resume(const std::string& last_event) {
  const std::lock_guard lock(mutex_);
  if (!notes_.was_broken || notes_.resumed_behind) return std::nullopt;
  notes_.resumed_behind = last_event;
  notes_.resumed_after = time_since(broken_at_);
  return due_;
}

DialogueNotes DialogueScript::notes() {
  const std::lock_guard lock(mutex_);
  if (tasks_) notes_.tasks = tasks_->notes();
  if (subscriptions_) notes_.subscriptions = subscriptions_->notes();
  notes_.withheld = withheld_.notes();
  if (oauth_) notes_.oauth = oauth_->record();
  auto& all = notes_.by_rules;
  for (auto& [name, session] : sessions_) {
    auto one = session.rules.take();
    all.exercised.merge(one.exercised);
    for (auto& each : one.findings) {
      const bool is_known = std::ranges::any_of(all.findings, [&](auto& other) {
        return other.requirement == each.requirement && other.particulars == each.particulars;
      });
      if (!is_known) all.findings.push_back(std::move(each));
    }
    for (auto& each : one.observations) all.observations.push_back(std::move(each));
  }
  return notes_;
}

}  // namespace jrpcheck::client
