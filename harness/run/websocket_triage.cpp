#include "run/websocket_triage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "dialogue/message.hpp"
#include "session/framed_connection.hpp"

namespace jrpcheck::run {
namespace {

constexpr milliseconds kAloneFirst{2000};
constexpr milliseconds kUpgrading{1500};
constexpr milliseconds kTurnOfSpeaker{5};
constexpr std::size_t kShownOfRefusal = 100;
constexpr long long kFirstAskedId = 4'800'001;

// One call on a connection of its own.
class Speaker {
 public:
  Speaker(session::FramedConnection connection, std::string message, Deadline deadline)
      : connection_(std::move(connection)), message_(std::move(message)) {
    stream().send(stream().encode(message_), deadline);
  }

  // Whether a Response has come.
  bool listen(Deadline deadline) {
    while (const auto frame = stream().receive(deadline)) {
      if (frame->control && frame->control->kind == wire::ControlFrame::Kind::close) {
        close_ = dialogue::Close{frame->control->close_code, frame->payload};
      }
      if (!frame->is_message()) continue;
      has_heard_ = true;
      only_echo_ = only_echo_ && frame->payload == message_;
      // Of what is beyond our limits its members are enough.
      const dialogue::Message came(frame->payload);
      const bool is_echo = came.text() == message_;
      if (!is_echo) keep_what_came(message_, frame->payload, messages_);
      if (!is_echo && came.outline() && is_response_to(*came.outline(), message_)) return true;
    }
    return false;
  }

  bool is_settled() { return stream().ended(); }
  bool has_heard() const { return has_heard_; }
  bool has_heard_echo() const { return has_heard_ && only_echo_; }
  // A greeting comes whatever is asked, and answers nothing.
  bool has_heard_no_json_rpc() const {
    return !messages_.empty() && std::ranges::all_of(messages_, is_of_no_json_rpc);
  }
  const std::string& first_said() const { return messages_.front(); }
  FirstCalls first_calls() const { return paired_up({message_}, messages_); }
  std::string how_closed() const { return close_ ? " (" + close_->text() + ")" : ""; }

 private:
  session::FramedStream& stream() { return connection_.stream; }

  session::FramedConnection connection_;
  std::string message_;
  bool has_heard_ = false;
  bool only_echo_ = true;
  std::optional<dialogue::Close> close_;
  std::vector<std::string> messages_;
};

using Speakers = std::vector<std::unique_ptr<Speaker>>;

bool any_is_answered(Speakers& speakers, Deadline deadline) {
  while (!deadline.passed()) {
    bool is_settled = true;
    for (auto& each : speakers) {
      if (each->listen(Deadline::earlier(deadline, Deadline::in(kTurnOfSpeaker)))) return true;
      is_settled = is_settled && each->is_settled();
    }
    if (is_settled) break;
  }
  return false;
}

Triage triage_of_answered(const Speakers& speakers) {
  Triage triage{std::nullopt, true};
  for (const auto& each : speakers) {
    const auto calls = each->first_calls();
    triage.first_calls.insert(triage.first_calls.end(), calls.begin(), calls.end());
  }
  return triage;
}

// Nothing where one of them may be a JSON-RPC server with faults.
std::optional<Stranger> recognise_speaker(Speakers& speakers, const Options& options) {
  const auto count = [&](auto is_so) {
    return static_cast<std::size_t>(std::count_if(speakers.begin(), speakers.end(), is_so));
  };
  const std::size_t closed = count([](const auto& each) { return each->is_settled(); });
  const std::size_t heard = count([](const auto& each) { return each->has_heard(); });
  if (heard > 0) {
    if (count([](const auto& each) { return each->has_heard_echo(); }) == heard) {
      return Stranger{.what = "it sends back what it is sent"};
    }
    const auto is_strange = [](const auto& each) { return each->has_heard_no_json_rpc(); };
    const bool may_have_ended = closed > 0 && !options.command.empty();  // by what it was sent
    if (count(is_strange) < heard || may_have_ended) return {};
    const auto& first = *std::ranges::find_if(speakers, is_strange);
    return Stranger{.what = "it says nothing of JSON-RPC over WebSocket, and says " +
                            to_visible(first->first_said(), kShownOfRefusal)};
  }
  if (closed == 0) {
    return Stranger{.what = "it takes messages over WebSocket and says nothing",
                    .advice = {"where it waits for a handshake: --opening; where it needs longer: "
                               "--start-timeout; "
                               "where it answers its own methods alone: --methods"},
                    .is_nobody = true,
                    .is_silent = true};
  }
  if (closed < speakers.size() || !options.command.empty()) return {};
  return Stranger{
      .what = "it closes every connection at the first call" + speakers.front()->how_closed(),
      .advice = {"a subprotocol, a header or a handshake that it wants: --subprotocol, --header, "
                 "--opening"},
      .is_nobody = true};
}

HttpAnswer answer_in(const session::Upgrade& upgrade) {
  HttpAnswer answer;
  const auto& response = *upgrade.response;
  const auto field = [&](std::string_view name) {
    return std::string(response.field(name).value_or(""));
  };
  answer.status = response.status;
  answer.location = field("Location");
  answer.challenge = field("WWW-Authenticate");
  answer.body = response.body;
  return answer;
}

// Where else on the same server WebSocket, or JSON-RPC over HTTP, is spoken.
std::vector<std::string> advice_for(const transport::Dial& dial, const Options& options,
                                    const session::UpgradeSettings& settings,
                                    const session::ControlCall& call) {
  const auto& target = settings.target;
  for (const char* path : {"/", "/ws", "/websocket", "/jsonrpc", "/rpc", "/api", "/api/ws"}) {
    if (target.path == path) continue;
    session::UpgradeSettings there = settings;
    there.target.path = path;
    if (!speaks_websocket(dial, there, Deadline::in(kUpgrading))) continue;
    const std::string url = there.target.url();
    return {"WebSocket is spoken at " + to_visible(url) + ":", command_for(options, url)};
  }
  auto over_http = target.by(wire::first_that(&wire::Binding::pairs_replies));
  if (const auto path = find_path(dial, over_http, options.headers, call, target.path).path) {
    over_http.path = *path;
    const std::string url = over_http.url();
    return {"JSON-RPC is answered over HTTP at " + to_visible(url) + ":",
            command_for(options, url)};
  }
  return {
      "give the path at which WebSocket is spoken (it is not at /, /ws, /websocket, /jsonrpc, "
      "/rpc, /api ...)"};
}

// Whoever wants a subprotocol may refuse a handshake without by any status (RFC 6455 §4.2.2): it
// says so in words, of its reason or its body.
bool asks_for_subprotocol(const session::Upgrade& upgrade) {
  constexpr int kNotFound = 404;  // it is another path that is wanted then
  const auto& response = *upgrade.response;
  if (response.status == kNotFound) return false;
  const std::string said = in_lower_case(response.start_line + "\n" + response.body);
  return contains(said, "subprotocol") || contains(said, "sub-protocol") ||
         contains(said, "sec-websocket-protocol");
}

Stranger refusal_told(const session::Upgrade& upgrade, const Options& options,
                      const session::UpgradeSettings& settings, const session::ControlCall& call,
                      const transport::Dial& dial) {
  const HttpAnswer answer = answer_in(upgrade);
  const std::string body = to_visible(answer.body, kShownOfRefusal);
  const std::string told =
      fmt::format("HTTP {}{}{}", answer.status, body.empty() ? "" : ": ", body);
  if (answer.status == 401 || answer.status == 403 || answer.status == 407) {
    return {
        .what = fmt::format(
            "it lets nobody in (HTTP {}{})", answer.status,
            answer.challenge.empty() ? "" : ", WWW-Authenticate: " + to_visible(answer.challenge)),
        .advice = {"give what it wants: --header 'Authorization: Bearer TOKEN', --header "
                   "'Origin: http://...', --subprotocol NAME"}};
  }
  if (answer.status >= 300 && answer.status < 400) {
    return {.what = fmt::format(
                "it sends its clients elsewhere (HTTP {}{})", answer.status,
                answer.location.empty() ? "" : ", Location: " + to_visible(answer.location)),
            .advice = {"give the URL that it names, if WebSocket is spoken there"}};
  }
  if (answer.status >= 500) {
    return {.what = "the request for WebSocket fails (" + told + ")",
            .is_nobody = true,
            .may_come_up = true};
  }
  if (asks_for_subprotocol(upgrade)) {
    return {.what = "it refuses the handshake (" + told + ")",
            .advice = {"offer the subprotocol that it wants: --subprotocol NAME"}};
  }
  return {.what = "WebSocket is not spoken there (" + told + ")",
          .advice = advice_for(dial, options, settings, call)};
}

Stranger no_http_told(const session::Upgrade& upgrade) {
  if (upgrade.heard.empty()) {
    return {.what = upgrade.refusal(),
            .is_nobody = true,
            .is_silent = !upgrade.ended,
            .may_come_up = upgrade.ended};
  }
  const std::string speaker = speaker_named(upgrade.heard);
  Stranger stranger{.what = fmt::format("it is {}, and says {}",
                                        speaker.empty() ? "no HTTP server" : speaker,
                                        to_visible(upgrade.heard, kShownOfRefusal))};
  if (upgrade.heard.starts_with("\x15\x03")) stranger.advice.emplace_back("try wss://");
  return stranger;
}

}  // namespace

bool speaks_websocket(const transport::Dial& dial, const session::UpgradeSettings& settings,
                      Deadline deadline) {
  auto stream = dial(deadline);
  return stream && session::upgrade(**stream, settings, 1, deadline).is_done();
}

Triage triage_websocket(transport::Peer& peer, const Options& options,
                        const session::UpgradeSettings& settings, const session::ControlCall& call,
                        Deadline deadline) {
  const transport::Dial dial = dial_to(peer);
  {
    auto stream = dial(deadline);
    if (!stream) return {Stranger{.what = stream.error().message, .is_nobody = true}};
    const auto first = session::upgrade(**stream, settings, 1, deadline);
    if (!first.is_done()) {
      auto stranger =
          first.response ? refusal_told(first, options, settings, call, dial) : no_http_told(first);
      if (stranger.is_silent || (stranger.may_come_up && !options.command.empty())) {
        stranger.advice.emplace_back("if it needs longer: --start-timeout SECONDS");
      }
      return {std::move(stranger)};
    }
  }
  const session::StreamSettings stream_settings{
      &wire::first_that(&wire::Binding::is_upgrade), {}, call, settings};
  Speakers speakers;
  const auto ask = [&](std::string message) {
    dialogue::Transcript aside;
    auto connected = session::connect(peer, stream_settings, 2 + speakers.size(), deadline, aside);
    if (!connected) return;
    speakers.push_back(
        std::make_unique<Speaker>(*std::move(connected), std::move(message), deadline));
  };
  ask(call.text(kFirstAskedId));
  if (any_is_answered(speakers, Deadline::earlier(deadline, Deadline::in(kAloneFirst)))) {
    return triage_of_answered(speakers);
  }
  for (auto& message : other_calls(options, call)) ask(std::move(message));
  if (speakers.empty() || any_is_answered(speakers, deadline)) return triage_of_answered(speakers);
  return {recognise_speaker(speakers, options)};
}

}  // namespace jrpcheck::run
