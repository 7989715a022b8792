// A server in a function, and an endpoint that leads to it: everything of a run but the transport.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "json/parse.hpp"
#include "run/endpoint.hpp"
#include "session/incoming.hpp"

namespace jrpcheck::run {

/// What comes back for one message: the text of a reply, or nothing.
using FakeServer = std::function<std::optional<std::string>(const std::string& message)>;

/// Sends every message to the function. A message that is met with nothing is a silence.
class FakeConversation : public session::Conversation {
 public:
  explicit FakeConversation(FakeServer server) : server_(std::move(server)) {}

  Result<bool> open(dialogue::Transcript&) override { return true; }
  void begin_case(long long first_control_id) override { control_id = first_control_id; }

  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    dialogue::Exchange exchange;
    for (const auto& message : step.messages) {
      transcript.add(dialogue::Direction::sent, message.text());
      sent.push_back(message.text());
      exchange.sent.push_back(message);
      if (auto reply = server_(message.text())) {
        transcript.add(dialogue::Direction::received, *reply);
        exchange.replies.push_back({*std::move(reply), 0});
      }
    }
    exchange.ending = ending;
    if (answers_next_only && exchange.replies.empty()) {
      exchange.ending = dialogue::Ending::timed_out;
      exchange.control_answered = knows_of_next;
    }
    return exchange;
  }

  dialogue::SurvivalCheck check_survival(dialogue::Transcript&) override {
    ++checks;
    const auto reply = server_(control_.text(control_id));
    const bool answered = reply && session::IncomingSorter::answers(*reply, control_id);
    ++control_id;
    return {answered ? dialogue::Survival::alive : dialogue::Survival::deaf, "", "", false,
            answered ? *reply : std::string()};
  }

  bool usable() const override { return is_usable; }
  unsigned long long server_generation() const override { return generation; }
  void use_control_call(session::ControlCall call) override { control_ = std::move(call); }
  const session::ControlCall& control_call() const { return control_; }

  std::vector<std::string> sent;  ///< but the control calls
  int checks = 0;
  long long control_id = 1;
  dialogue::Ending ending = dialogue::Ending::settled;
  bool answers_next_only = false;  ///< a silence is waited for in vain, and what follows answered
  bool knows_of_next = true;       ///< and tells so
  bool is_usable = true;
  unsigned long long generation = 0;

 private:
  FakeServer server_;
  session::ControlCall control_ = unknown_control_call();
};

class FakeEndpoint : public Endpoint {
 public:
  explicit FakeEndpoint(std::string binding = "lines", FakeServer server = nullptr)
      : binding_(std::move(binding)), server_(std::move(server)) {}

  Result<bool> reach() override { return true; }
  std::unique_ptr<session::Conversation> converse() override {
    return std::make_unique<FakeConversation>(server_);
  }
  const wire::Binding& binding() const override {
    const auto& binding = wire::known_binding(binding_);
    return is_on_sockets ? wire::on_sockets(binding) : binding;
  }
  std::string_view transport() const override { return "fake"; }
  bool is_shared() const override { return false; }
  bool serves_several() override { return true; }
  std::string text() const override { return "fake"; }
  std::string reproduce(const corpus::Case& bound, const std::vector<std::string>&) const override {
    return "try " + bound.id;
  }
  void use_control_call(session::ControlCall call) override { control = std::move(call); }
  const session::ControlCall& control_call() const override { return control; }

  session::ControlCall control = unknown_control_call();
  bool is_on_sockets = false;

 private:
  std::string binding_;
  FakeServer server_;
};

/// The id of a message as JSON text; "null" where there is none.
inline std::string id_text(const json::Value& request) {
  const json::Value* id = request.find("id");
  return id != nullptr ? json::write(*id) : "null";
}

/// Answers every single call with these members (`"error":{...}` or `"result":...`), the rest of
/// the Response being right, every Notification with nothing and every batch with an Array.
inline FakeServer answering(std::function<std::string(const json::Value& request)> members) {
  const auto respond = [members](const json::Value& request) -> std::optional<std::string> {
    if (request.find("id") == nullptr && request.find("method") != nullptr) return std::nullopt;
    return R"({"jsonrpc":"2.0",)" + members(request) + R"(,"id":)" + id_text(request) + "}";
  };
  return [respond](const std::string& message) -> std::optional<std::string> {
    const auto parsed = json::parse(message);
    if (!parsed) {
      return R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Not JSON"},"id":null})";
    }
    if (!parsed.value->is(json::Kind::array)) return respond(*parsed.value);
    std::string batch;
    for (const auto& each : parsed.value->children()) {
      if (const auto one = respond(each)) batch += (batch.empty() ? "" : ",") + *one;
    }
    return "[" + batch + "]";
  };
}

inline std::string error_member(long long code) {
  return R"("error":{"code":)" + std::to_string(code) + R"(,"message":"No"})";
}

/// A right server that has no method at all.
inline FakeServer server_without_methods() {
  return answering([](const json::Value&) { return error_member(-32601); });
}

}  // namespace jrpcheck::run
