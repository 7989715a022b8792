#include "judge/client_rules.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/bytes.hpp"
#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "judge/client_answers.hpp"
#include "judge/client_charges.hpp"
#include "judge/client_heads.hpp"
#include "judge/client_metadata.hpp"
#include "judge/client_pages.hpp"
#include "judge/client_stateless.hpp"
#include "judge/client_subscriptions.hpp"
#include "judge/client_tasks.hpp"
#include "judge/client_uses.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

// Of one session; that many wait or come again only where something is wrong.
constexpr std::size_t kMostIds = 10'000;
constexpr std::size_t kLongestCall = 200;  // of a method, that is kept

bool is_within_32_bits(const Value& value) {
  const double number = std::strtod(value.text().c_str(), nullptr);
  return number >= -2147483648.0 && number <= 2147483647.0;
}

Value copy_of(const Value* value) { return value == nullptr ? Value::object() : value->clone(); }

}  // namespace

class ClientRules::Session {
 public:
  explicit Session(ClientLaw law)
      : charges_(std::move(law)),
        words_(charges_.words()),
        answers_(charges_),
        metadata_(charges_),
        pages_(charges_),
        stateless_(charges_),
        tasks_(charges_),
        uses_(charges_) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void hear(const Value& message, const wire::HttpFields* fields) {
    learn_version(message, fields);
    charges_.exercise(words_.no_batch);
    if (fields != nullptr) {
      judge_client_heads(message, *fields, session(), charges_);
    }
    if (!message.is(Kind::array)) return hear_one(message, fields);
    charges_.charge(words_.no_batch, message, "", "The client sends a batch.", "one message");
    for (const auto& each : message.children()) {
      learn_version(each, nullptr);
      if (json::text_of(each.find("method")) == "initialize") {
        charges_.charge("mcp-c-batch-init", message, "", "initialize is part of a batch.",
                        "initialize alone");
      }
      hear_one(each, nullptr);
    }
  }

  void hear_unframed(const std::string& bytes, const std::string& note) {
    if (words_.family != "lsp") return;
    charges_.charge("lsp-c-header",
                    {Symptom::rule_broken,
                     "Content-Length, an empty line and the message",
                     to_visible(bytes, 400),
                     {},
                     "The framing of the client is not that of LSP: " + note + "."});
  }

  void tell(const Value& message) {
    if (message.is(Kind::array)) {
      for (const auto& each : message.children()) tell(each);
      return;
    }
    const Value* id = message.find("id");
    const auto key = id == nullptr ? std::nullopt : kept_key(*id);
    if (!key) return;
    if (const std::string method = json::text_of(message.find("method")); !method.empty()) {
      if (method == "client/registerCapability") uses_.allow_registered();
      answers_.take_request(*key, message);
      if (words_.family == "mcp") tasks_.take_request(*key, method, message);
      return;
    }
    stateless_.tell(message);
    tasks_.tell_response(*key, message);
    pages_.tell(message);
    metadata_.settle(*key);
    const auto call = in_flight_.find(*key);
    if (call == in_flight_.end()) return;
    if (call->second == "initialize") take_opening_answer(message);
    const Value* result = message.find("result");
    if (call->second == "tools/list" && result != nullptr) uses_.take_tools(*result);
    in_flight_.erase(call);
    if (answered_.size() < kMostIds) {
      answered_.insert(*key);
    } else {
      is_full_ = true;
    }
  }

  // Ids begin anew, and so does all else.
  void forget_session() {
    forget_calls();
    answers_.forget();
    tasks_.forget();
    uses_.forget();
    has_begun_ = is_answered_ = is_server_known_ = is_initialized_ = is_refused_ = false;
    session_id_.clear();
    is_renewed_ = true;
    charges_.version = agreed_ = std::nullopt;
  }

  void know_all_that_was_told() {
    knows_all_ = true;
    answers_.know_all_that_was_told();
    stateless_.know_all_that_was_told();
    uses_.know_all_that_was_told();
  }
  void note_session_id(const std::string& id) { session_id_ = id; }

  void hear_in_gone_session(const Value& message) {
    charges_.charge("mcp-c-http-session-404", message, "",
                    "The client goes on in a session that is gone.", "initialize");
  }

  void hear_get(const wire::HttpFields& fields) { judge_head_of_get(fields, session(), charges_); }

  void hear_without_session(const Value& message) {
    charges_.exercise(words_.init_first);
    charges_.charge(words_.init_first, message, "/method",
                    "The client sends " + json::text_of(message.find("method")) +
                        " in no session: it has begun none, or does not name it.",
                    "initialize first");
  }

  Judgement take() { return charges_.take(); }

 private:
  void hear_one(const Value& message, const wire::HttpFields* fields) {
    if (!message.is(Kind::object)) return;
    const std::string method = json::text_of(message.find("method"));
    if (method.empty()) {
      return is_stateless_ ? stateless_.hear_response(message) : hear_response(message);
    }
    const Value* id = message.find("id");
    // Nothing over HTTP tells clients apart that have no session.
    const bool shares_ids = is_stateless_ && fields != nullptr;
    if (id != nullptr) judge_id(message, *id, shares_ids);
    judge_params(message);
    if (words_.family == "mcp") judge_schema(message, method, id != nullptr);
    const auto key = id == nullptr ? std::nullopt : kept_key(*id);
    if (words_.family == "mcp") metadata_.hear(message, key, shares_ids);
    if (words_.family == "mcp" && knows_all_) pages_.hear(message);
    if (is_stateless_) {
      stateless_.hear(message, fields);
      judge_listening(message, method, charges_);
    } else {
      judge_lifecycle(message, method, id != nullptr);
      if (words_.family == "mcp") tasks_.hear(message, method, key.value_or(""));
    }
    if (method == words_.cancelled && !shares_ids) judge_cancelling(message);
    if (id == nullptr) return;
    if (is_server_known_ && !is_stateless_) uses_.hear(message, method);
    if (!key) return;
    if (in_flight_.size() < kMostIds) {
      in_flight_[*key] = method.substr(0, kLongestCall);
    } else {
      is_full_ = true;
    }
  }

  void hear_response(const Value& message) {
    const Value* id = message.find("id");
    const auto key = id == nullptr ? std::nullopt : kept_key(*id);
    answers_.hear(message, key && tasks_.is_task_made(*key, message));
    if (key) tasks_.hear_response(*key, message);
  }

  ClientSession session() const { return {session_id_, is_answered_, is_renewed_, asked_}; }

  void forget_calls() {
    ids_.clear();
    in_flight_.clear();
    answered_.clear();
    metadata_.forget();
    is_full_ = false;
  }

  // The version that is asked for, until one is agreed on; a client without a handshake says in
  // each request which it speaks, and may be of both eras.
  void learn_version(const Value& message, const wire::HttpFields* fields) {
    if (words_.family != "mcp" || !message.is(Kind::object)) return;
    if (json::text_of(message.find("method")) == "initialize") {
      // Ids are new in a session, and this is another; what was asked before may still be
      // cancelled.
      const bool has_asked = !in_flight_.empty() || !answered_.empty();
      forget_calls();
      is_full_ = has_asked;
      is_stateless_ = false;
      const Value* asked = json::at(message, "/params/protocolVersion");
      asked_ = json::text_of(asked);
      charges_.version = agreed_ = asked == nullptr ? std::nullopt : std::optional(asked_);
      return;
    }
    if (has_begun_ && version_without_handshake(message, nullptr).empty()) {
      is_stateless_ = false;
      charges_.version = agreed_;
      return;
    }
    const auto version = version_without_handshake(message, fields);
    if (version.empty()) return;
    is_stateless_ = true;
    charges_.version = version;
  }

  void judge_id(const Value& message, const Value& id, bool shares_ids) {
    charges_.exercise(words_.id_type);
    charges_.exercise(words_.id_unique);
    if (!id.is(Kind::string) && !is_integer(id)) {
      charges_.charge(words_.id_type, message, "/id",
                      "The id of a request is no String and no integer.", "a String or an integer");
    }
    const auto key = kept_key(id);
    if (words_.family == "lsp") return judge_id_of_lsp(message, id, key);
    if (is_stateless_ && !shares_ids) {
      charges_.exercise("mcp-c-request-id-free");
      if (key && in_flight_.contains(*key)) {
        charges_.charge("mcp-c-request-id-free", message, "/id",
                        "The id is that of a request that is still open.",
                        "an id that nothing waits for");
      }
    }
    if (!key || ids_.size() >= kMostIds || !charges_.is_asked(words_.id_unique)) return;
    if (ids_.insert(*key).second) return;
    charges_.charge(words_.id_unique, message, "/id", "The client uses an id twice in a session.",
                    "an id that is new");
  }

  void judge_id_of_lsp(const Value& message, const Value& id,
                       const std::optional<std::string>& key) {
    if (is_integer(id) && !is_within_32_bits(id)) {
      charges_.charge(words_.id_type, message, "/id", "The id of a request has more than 32 bits.",
                      "an integer from -2147483648 to 2147483647, or a String");
    }
    if (!key || !in_flight_.contains(*key)) return;
    charges_.charge(words_.id_type, message, "/id",
                    "The id is that of a request that is still open.",
                    "an id that nothing waits for");
  }

  void judge_params(const Value& message) {
    charges_.exercise(words_.params_object);
    const Value* params = message.find("params");
    if (params == nullptr || params->is(Kind::object)) return;
    charges_.charge(words_.params_object, message, "/params", "The params are no Object.",
                    "an Object");
  }

  // What has a rule of its own stands in no schema: each thing is charged once.
  void judge_schema(const Value& message, const std::string& method, bool is_request) {
    const auto* schemas = charges_.schemas();
    const Value* params = message.find("params");
    if (schemas == nullptr || (params != nullptr && !params->is(Kind::object))) return;
    const auto subject =
        is_request ? schema::Subject::client_request : schema::Subject::client_notification;
    const Value none = Value::object();
    const auto verdict = schemas->judge(subject, method, params == nullptr ? none : *params);
    if (!verdict) return;
    charges_.exercise("mcp-c-schema");
    if (!verdict->violation) return;
    charges_.charge("mcp-c-schema", message, "/params" + verdict->violation->at,
                    "The params do not fit the schema of " + *charges_.version + ": " +
                        verdict->violation->text() + ".",
                    "params of " + method + " as that version has them");
  }

  void judge_lifecycle(const Value& message, const std::string& method, bool is_request) {
    const bool is_ping = method == "ping" && words_.family == "mcp";
    if (method == "initialize") return begin(message);
    if (method == words_.initialized) return take_initialized(message);
    if (is_ping) return;
    if (words_.family == "lsp" && judge_leaving(message, method)) return;
    if (is_refused_) return;  // what follows a refusal is not written down
    if (!has_begun_) {
      charges_.exercise(words_.init_first);
      has_begun_ = is_answered_ = is_initialized_ = true;  // that is told once
      return charges_.charge(words_.init_first, message, "/method",
                             "The client's first message is " + method + ", and not initialize.",
                             "initialize first");
    }
    // MCP says it of requests alone.
    if (!is_request && words_.family == "mcp") return;
    if (!is_answered_) {
      return charges_.charge(words_.init_wait, message, "/method",
                             "The client does not wait for the answer to initialize.",
                             "nothing before it");
    }
    if (is_initialized_) return;
    charges_.charge(
        words_.initialized_after, message, "/method",
        "The client asks for something before it has sent " + std::string(words_.initialized) + ".",
        std::string(words_.initialized) + " first");
  }

  void begin(const Value& message) {
    for (const auto each : {words_.init_first, words_.init_shape, words_.init_wait})
      charges_.exercise(each);
    if (words_.family == "mcp") charges_.exercise("mcp-c-batch-init");
    if (has_begun_ && words_.family == "lsp") {
      charges_.charge("lsp-c-init-first", message, "/method", "initialize comes a second time.",
                      "initialize once");
    }
    has_begun_ = true;
    is_answered_ = is_initialized_ = is_refused_ = asks_to_shut_down_ = false;
    const Value* params = message.find("params");
    for (const auto name : words_.opening_members) {
      if (params != nullptr && params->find(name) != nullptr) continue;
      charges_.charge(words_.init_shape, message, "/params",
                      "initialize has no " + std::string(name) + ".", std::string(name));
    }
    const Value* capabilities = params == nullptr ? nullptr : params->find("capabilities");
    answers_.declare(copy_of(capabilities));
    tasks_.forget();
    tasks_.declare(copy_of(capabilities));
  }

  void take_opening_answer(const Value& message) {
    const Value* result = message.find("result");
    if (result == nullptr) {
      // It may ask again (InitializeError.retry), or leave; no session has begun.
      has_begun_ = false;
      is_refused_ = true;
      return;
    }
    is_answered_ = is_server_known_ = true;
    if (words_.family == "mcp")
      charges_.version = agreed_ = json::text_of(result->find("protocolVersion"));
    uses_.declare(copy_of(result->find("capabilities")));
  }

  void take_initialized(const Value& message) {
    if (is_refused_) return;
    charges_.exercise(words_.initialized_after);
    if (!is_answered_ || message.find("id") != nullptr) {
      charges_.charge(words_.initialized_after, message, "/method",
                      is_answered_
                          ? "That the client is ready is said by a request."
                          : "The client says that it is ready before initialize is answered.",
                      "a notification after the answer");
    }
    if (is_initialized_ && words_.family == "lsp") {
      charges_.charge(words_.initialized_after, message, "/method",
                      "initialized comes a second time.", "initialized once");
    }
    is_initialized_ = true;
  }

  // LSP: shutdown, then exit, and nothing between them. True where all is said of the message.
  bool judge_leaving(const Value& message, const std::string& method) {
    const bool is_leave = method == "shutdown" || method == "exit";
    if (is_leave) {
      charges_.exercise("lsp-c-shutdown-params");
      if (message.find("params") != nullptr) {
        charges_.charge("lsp-c-shutdown-params", message, "/params", method + " has params.",
                        "no params");
      }
    }
    if (method == "exit") {
      // Who gives up while initialize is not answered may send nothing else.
      if (!has_begun_ || !is_answered_) return true;
      charges_.exercise("lsp-c-shutdown-exit");
      if (!asks_to_shut_down_) {
        charges_.charge("lsp-c-shutdown-exit", message, "/method", "exit comes without shutdown.",
                        "shutdown first");
      }
      return true;
    }
    if (asks_to_shut_down_) {
      charges_.charge("lsp-c-shutdown-exit", message, "/method",
                      "Between shutdown and exit the client sends " + method + ".", "exit alone");
      return true;
    }
    asks_to_shut_down_ = method == "shutdown";
    return false;
  }

  void judge_cancelling(const Value& message) {
    charges_.exercise(words_.cancel_own);
    const Value* id = json::at(message, words_.cancelled_id);
    const auto key = id == nullptr ? std::nullopt : kept_key(*id);
    const auto call = key ? in_flight_.find(*key) : in_flight_.end();
    if (words_.family == "mcp") charges_.exercise("mcp-c-init-not-cancelled");
    if (call != in_flight_.end() && call->second == "initialize" && words_.family == "mcp") {
      charges_.charge("mcp-c-init-not-cancelled", message, words_.cancelled_id,
                      "The client cancels initialize.", "any other request");
    }
    // The two may have crossed.
    const bool is_own = key && (call != in_flight_.end() || answered_.contains(*key));
    const bool is_too_long = id != nullptr && !key && dialogue::id_key(*id);
    if (key && words_.family == "mcp") give_up(*key);
    if (is_own || is_too_long || is_full_) return;
    charges_.charge(words_.cancel_own, message, words_.cancelled_id,
                    "The client cancels what it has not asked.", "the id of a request of its own");
  }

  // No answer is due to what was cancelled; one may come.
  void give_up(const std::string& key) {
    stateless_.give_up(key);
    metadata_.settle(key);
    const auto call = in_flight_.find(key);
    if (call == in_flight_.end() || call->second == "initialize") return;
    is_full_ = is_full_ || answered_.size() >= kMostIds;
    if (!is_full_) answered_.insert(key);
    in_flight_.erase(call);
  }

  ClientCharges charges_;
  const WordsOfClients& words_;
  ClientAnswers answers_;  // to the server
  ClientMetadata metadata_;
  ClientPages pages_;
  bool knows_all_ = false;
  StatelessClient stateless_;
  ClientTasks tasks_;
  ClientUses uses_;
  std::optional<std::string> agreed_;  // the version, in a handshake
  std::string asked_;                  // likewise, at first
  std::set<std::string> ids_;
  std::map<std::string, std::string> in_flight_;  // of the client: by key the method
  std::set<std::string> answered_;
  std::string session_id_;
  bool is_full_ = false;  // some ids are not known
  bool has_begun_ = false;
  bool is_answered_ = false;
  bool is_server_known_ = false;
  bool is_initialized_ = false;
  bool is_refused_ = false;
  bool is_stateless_ = false;
  bool is_renewed_ = false;
  bool asks_to_shut_down_ = false;
};

ClientRules::ClientRules(ClientLaw law) : session_(std::make_unique<Session>(std::move(law))) {}
ClientRules::ClientRules(ClientRules&&) noexcept = default;
ClientRules::~ClientRules() = default;

bool ClientRules::knows(std::string_view family) {
  return std::any_of(kWordsOfClients.begin(), kWordsOfClients.end(),
                     [family](const WordsOfClients& each) { return each.family == family; });
}

bool ClientRules::needs_no_session(const Value& message, const wire::HttpFields* fields) {
  return message.is(Kind::object) && !version_without_handshake(message, fields).empty();
}

void ClientRules::hear(const Value& message, const wire::HttpFields* fields) {
  session_->hear(message, fields);
}
void ClientRules::hear_unframed(const std::string& bytes, const std::string& note) {
  session_->hear_unframed(bytes, note);
}
void ClientRules::tell(const Value& message) { session_->tell(message); }
void ClientRules::know_all_that_was_told() { session_->know_all_that_was_told(); }
void ClientRules::hear_in_gone_session(const Value& message) {
  session_->hear_in_gone_session(message);
}
void ClientRules::hear_get(const wire::HttpFields& fields) { session_->hear_get(fields); }
void ClientRules::hear_without_session(const Value& message) {
  session_->hear_without_session(message);
}
void ClientRules::begin_session(const std::string& id) { session_->note_session_id(id); }
void ClientRules::forget_session() { session_->forget_session(); }
Judgement ClientRules::take() { return session_->take(); }

}  // namespace jrpcheck::judge
