// What the tests of traffic share: messages, and a conversation that is judged as it passes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "judge/test_support.hpp"
#include "judge/traffic/traffic_judge.hpp"

namespace jrpcheck::judge::traffic_for_testing {

using dialogue::Side;
using dialogue::TrafficEvent;
using Kind = TrafficEvent::Kind;
using Texts = std::vector<std::string>;

inline constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"echo","params":[1],"id":1})";
inline constexpr const char* kResult = R"({"jsonrpc":"2.0","result":[1],"id":1})";
inline constexpr const char* kNotification = R"({"jsonrpc":"2.0","method":"note"})";
inline constexpr const char* kErrorOfNobody =
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null})";

/// Tells "server res-once" for each finding, in the order in which they are made.
class Conversation {
 public:
  explicit Conversation(std::string_view binding = "lines", bool from_the_beginning = true,
                        OldCalls old_calls = OldCalls::wrong,
                        const corpus::ErrorsWithoutId* errors_without_id = nullptr)
      : judge_({&real_ledger(), &wire::known_binding(binding), from_the_beginning, old_calls,
                errors_without_id}) {}

  Conversation& client(const std::string& text) { return say(Side::client, text); }
  Conversation& server(const std::string& text) { return say(Side::server, text); }
  Conversation& after(milliseconds pause) {
    now_ += pause;
    return *this;
  }
  Conversation& closed(Side side) { return take({Kind::closed, side}); }
  Conversation& lost() { return take({Kind::lost, Side::client}); }
  Conversation& post(const std::string& request, std::size_t status, const std::string& response,
                     const std::string& type = "application/json") {
    TrafficEvent event{Kind::message, Side::client};
    event.message = request;
    event.exchange = ++exchange_;
    take(event);
    event.side = Side::server;
    event.message = response;
    event.http_status = status;
    event.content_type = type;
    return take(event);
  }
  Conversation& take(TrafficEvent event) {
    now_ += milliseconds(1);
    event.at = now_;
    auto shown = judge_.take(event);
    for (const auto& each : shown.findings) {
      found_.push_back(std::string(name_of(each.side)) + " " + each.finding.requirement);
    }
    for (auto& each : shown.answered) answered_.push_back(each.method);
    return *this;
  }

  const std::vector<std::string>& found() const { return found_; }
  const std::vector<std::string>& answered() const { return answered_; }
  TrafficJudge& judge() { return judge_; }

 private:
  Conversation& say(Side side, const std::string& text) {
    TrafficEvent event{Kind::message, side};
    event.message = text;
    return take(event);
  }

  TrafficJudge judge_;
  microseconds now_{0};
  std::size_t exchange_ = 0;
  std::vector<std::string> found_;
  std::vector<std::string> answered_;
};

}  // namespace jrpcheck::judge::traffic_for_testing
