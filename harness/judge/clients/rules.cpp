#include "judge/clients/rules.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/bytes.hpp"
#include "base/kept.hpp"
#include "json/pointer.hpp"
#include "judge/clients/answers.hpp"
#include "judge/clients/charges.hpp"
#include "judge/clients/heads.hpp"
#include "judge/clients/ids.hpp"
#include "judge/clients/lifecycle.hpp"
#include "judge/clients/metadata.hpp"
#include "judge/clients/pages.hpp"
#include "judge/clients/stateless.hpp"
#include "judge/clients/subscriptions.hpp"
#include "judge/clients/tasks.hpp"
#include "judge/clients/uses.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::string_view kEndBy404 = "mcp-c-http-session-404";

Value copy_of(const Value* value) { return value == nullptr ? Value::object() : value->clone(); }

}  // namespace

class ClientRules::Session {
 public:
  explicit Session(ClientLaw law)
      : charges_(std::move(law)),
        words_(charges_.words()),
        ids_(charges_),
        lifecycle_(charges_),
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
    const auto key = kept_key(message.find("id"));
    if (!key) return;
    if (const std::string method = json::text_of(message.find("method")); !method.empty()) {
      if (method == "client/registerCapability") uses_.allow_registered();
      answers_.take_request(*key, message);
      if (charges_.is_mcp()) tasks_.take_request(*key, method, message);
      return;
    }
    stateless_.tell(message);
    tasks_.tell_response(*key, message);
    if (knows_all_) pages_.tell(message);
    metadata_.settle(*key);
    const auto call = ids_.answer(*key);
    const Value* result = message.find("result");
    if (call == "initialize") take_opening_answer(result);
    if (call == "tools/list" && result != nullptr) uses_.take_tools(*result);
  }

  // Ids begin anew, and so does all else.
  void forget_session() {
    ids_.forget();
    metadata_.forget();
    answers_.forget();
    tasks_.forget();
    uses_.forget();
    lifecycle_.forget();
    is_server_known_ = false;
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

  bool ends_by_404() const { return charges_.is_asked(kEndBy404); }
  void hear_in_gone_session(const Value& message) {
    charges_.charge(kEndBy404, message, "", "The client goes on in a session that is gone.",
                    "initialize");
  }

  void hear_bare_head(std::string_view method, const wire::HttpFields& fields) {
    judge_bare_head(method, fields, session(), charges_);
  }

  void hear_without_session(const Value& message) {
    charges_.exercise(words_.init_first);
    charges_.charge(words_.init_first, message, "/method",
                    "The client sends " + json::text_of(message.find("method")) +
                        " in no session: it has begun none, or does not name it.",
                    "initialize first");
  }

  Judgement take() { return charges_.take(); }

  std::size_t kept() const {
    std::size_t kept = sizeof *this;
    for (const auto* text : {&charges_.version, &agreed_}) kept += *text ? kept_by(**text) : 0;
    for (const auto* text : {&asked_, &session_id_}) kept += kept_by(*text);
    return kept + ids_.kept() + answers_.kept() + metadata_.kept() + stateless_.kept() +
           tasks_.kept() + uses_.kept();
  }

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
    if (id != nullptr) ids_.judge(message, *id, is_stateless_ && !shares_ids);
    judge_params(message);
    if (charges_.is_mcp()) judge_schema(message, method, id != nullptr);
    const auto key = kept_key(id);
    if (charges_.is_mcp()) metadata_.hear(message, key, shares_ids);
    if (charges_.is_mcp() && knows_all_) pages_.hear(message);
    if (is_stateless_) {
      stateless_.hear(message, fields);
      judge_listening(message, method, charges_);
    } else {
      lifecycle_.hear(message, method, id != nullptr);
      if (method == "initialize") take_opening(message);
      if (charges_.is_mcp()) tasks_.hear(message, method, key.value_or(""));
    }
    if (method == words_.cancelled && !shares_ids) take_cancelling(message);
    if (id == nullptr) return;
    if (is_server_known_ && !is_stateless_) uses_.hear(message, method);
    if (key) ids_.open(*key, method);
  }

  void hear_response(const Value& message) {
    const auto key = kept_key(message.find("id"));
    answers_.hear(message, key && tasks_.is_task_made(*key, message));
    if (key) tasks_.hear_response(*key, message);
  }

  ClientSession session() const {
    return {session_id_, lifecycle_.is_answered(), is_renewed_, asked_,
            lifecycle_.is_initialized()};
  }

  // The version that is asked for, until one is agreed on; a client without a handshake says in
  // each request which it speaks, and may be of both eras.
  void learn_version(const Value& message, const wire::HttpFields* fields) {
    if (!charges_.is_mcp() || !message.is(Kind::object)) return;
    if (json::text_of(message.find("method")) == "initialize") {
      ids_.begin_session();
      metadata_.forget();
      is_stateless_ = false;
      const Value* asked = json::at(message, "/params/protocolVersion");
      asked_ = json::text_of(asked);
      charges_.version = agreed_ = asked == nullptr ? std::nullopt : std::optional(asked_);
      return;
    }
    if (lifecycle_.has_begun() && version_without_handshake(message, nullptr).empty()) {
      is_stateless_ = false;
      charges_.version = agreed_;
      return;
    }
    const auto version = version_without_handshake(message, fields);
    if (version.empty()) return;
    is_stateless_ = true;
    charges_.version = version;
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

  void take_opening(const Value& message) {
    const Value* capabilities = json::at(message, "/params/capabilities");
    answers_.declare(copy_of(capabilities));
    tasks_.forget();
    tasks_.declare(copy_of(capabilities));
  }

  void take_opening_answer(const Value* result) {
    lifecycle_.take_answer(result != nullptr);
    if (result == nullptr) return;
    is_server_known_ = true;
    if (charges_.is_mcp())
      charges_.version = agreed_ = json::text_of(result->find("protocolVersion"));
    uses_.declare(copy_of(result->find("capabilities")));
  }

  void take_cancelling(const Value& message) {
    const auto key = ids_.judge_cancelling(message);
    if (!key || !charges_.is_mcp()) return;
    stateless_.give_up(*key);
    metadata_.settle(*key);
  }

  ClientCharges charges_;
  const WordsOfClients& words_;
  ClientIds ids_;
  ClientLifecycle lifecycle_;
  ClientAnswers answers_;  // to the server
  ClientMetadata metadata_;
  ClientPages pages_;
  bool knows_all_ = false;
  StatelessClient stateless_;
  ClientTasks tasks_;
  ClientUses uses_;
  std::optional<std::string> agreed_;  // the version, in a handshake
  std::string asked_;                  // likewise, at first
  std::string session_id_;
  bool is_server_known_ = false;
  bool is_stateless_ = false;
  bool is_renewed_ = false;
};

ClientRules::ClientRules(ClientLaw law) : session_(std::make_unique<Session>(std::move(law))) {}
ClientRules::ClientRules(ClientRules&&) noexcept = default;
ClientRules::~ClientRules() = default;

bool ClientRules::knows(std::string_view family) {
  return std::ranges::any_of(
      kWordsOfClients, [family](const WordsOfClients& each) { return each.family == family; });
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
bool ClientRules::ends_by_404() const { return session_->ends_by_404(); }
void ClientRules::hear_in_gone_session(const Value& message) {
  session_->hear_in_gone_session(message);
}
void ClientRules::hear_bare_head(std::string_view method, const wire::HttpFields& fields) {
  session_->hear_bare_head(method, fields);
}
void ClientRules::hear_without_session(const Value& message) {
  session_->hear_without_session(message);
}
void ClientRules::begin_session(const std::string& id) { session_->note_session_id(id); }
void ClientRules::forget_session() { session_->forget_session(); }
Judgement ClientRules::take() { return session_->take(); }
std::size_t ClientRules::kept() const { return session_->kept(); }

}  // namespace jrpcheck::judge
