// The rules of event streams (WHATWG HTML §9.2), whatever is spoken on them.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "base/letter_case.hpp"
#include "base/origin.hpp"
#include "base/utf8.hpp"
#include "dialogue/id_key.hpp"
#include "judge/rules/http_turns.hpp"
#include "judge/rules/rules.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::judge {
namespace {

void event_is_utf8(const RuleCall& call) {
  for (const auto& event : call.events) {
    if (!event.http || !event.http->is_block()) continue;
    if (event.direction == dialogue::Direction::closed) continue;
    call.exercise();
    if (is_valid_utf8(event.bytes)) continue;
    call.charge_step(event.step.value_or(0), "An event stream is not UTF-8.", "UTF-8", event.bytes);
  }
}

// A stream that was taken up behind the last event of one before.
struct Resumption {
  const HttpTurn& before;
  const HttpTurn& again;
};

bool has_event(const HttpTurn& turn, const std::optional<std::string>& id) {
  return std::ranges::any_of(turn.blocks,
                             [&](const StreamBlock& block) { return block.event.id == id; });
}

template <typename Judge>
void for_each_resumption(const RuleCall& call, Judge judge) {
  const auto turns = turns_in(call.events);
  for (auto again = turns.begin(); again != turns.end(); ++again) {
    const auto last = field_in(again->request, "Last-Event-ID");
    if (!last || !again->is_stream()) continue;
    const auto before = std::find_if(turns.begin(), again,
                                     [&](const HttpTurn& turn) { return has_event(turn, last); });
    if (before != again) judge(Resumption{*before, *again});
  }
}

// Who has nothing yet may end a stream, and is asked once more behind the same event.
bool goes_on_later(const HttpTurn& again, const RuleCall& call) {
  const auto last = field_in(again.request, "Last-Event-ID");
  const auto turns = turns_in(call.events);
  return std::ranges::any_of(turns, [&](const HttpTurn& turn) {
    return !turn.blocks.empty() && field_in(turn.request, "Last-Event-ID") == last;
  });
}

// By the one Array that a batch has for an answer (JSON-RPC 2.0 §6): behind it nothing follows,
// whatever is missing in it.
bool is_batch_answered(const HttpTurn& turn) {
  return std::ranges::any_of(turn.blocks, [](const StreamBlock& block) {
    const json::Value* value = block.message.value();
    return value != nullptr && value->is(json::Kind::array);
  });
}

void resumed_stream_goes_on(const RuleCall& call) {
  for_each_resumption(call, [&](const Resumption& it) {
    call.exercise();
    const auto repeated = std::ranges::find_if(it.again.blocks, [&](const StreamBlock& block) {
      return block.event.id && has_event(it.before, block.event.id);
    });
    if (repeated != it.again.blocks.end()) {
      call.charge_step(
          it.again.step,
          "A stream that is taken up again brings an event that it has brought before.",
          "what follows the event of Last-Event-ID", repeated->event.block);
    }
    if (!it.again.blocks.empty() || it.again.end != "the server ended the event stream") return;
    if (goes_on_later(it.again, call) || is_batch_answered(it.before)) return;
    call.charge_step(it.again.step, "A stream that is taken up again brings nothing.",
                     "what follows the event of Last-Event-ID", "the end of the stream");
  });
}

void resumed_stream_is_the_same(const RuleCall& call) {
  for_each_resumption(call, [&](const Resumption& it) {
    std::set<std::string> asked;
    for (auto& key : dialogue::id_keys_of(it.before.sent())) asked.insert(std::move(key));
    for (const auto& block : it.again.blocks) {
      if (block.message.find("method") != nullptr) continue;
      for (const auto& key : dialogue::id_keys_of(block.message)) {
        call.exercise();
        if (asked.empty() || asked.count(key) != 0) continue;
        call.charge_step(it.again.step,
                         "A stream that is taken up again brings what belongs to another.",
                         "what belongs to the stream of the event", block.event.block);
      }
    }
  });
}

// Else a client would say elsewhere what it has to say to this server (RFC 6454 §5).
void endpoint_is_of_the_same_origin(const RuleCall& call) {
  std::string host;
  std::string scheme = "http";
  for (const auto& event : call.events) {
    if (event.direction == dialogue::Direction::sent) {
      host = field_in(event.bytes, "Host").value_or(host);
      if (event.note == dialogue::kOpensStreamNote) scheme = "http";
      if (event.note == dialogue::kOpensStreamOverTlsNote) scheme = "https";
    }
    if (event.note != dialogue::kEndpointNote) continue;
    call.exercise();
    wire::SseReader reader;
    reader.feed(event.bytes);
    const auto block = reader.next();
    const std::string endpoint = block && block->data ? *block->data : std::string();
    const std::string own_text = std::string(scheme).append("://").append(host);
    const auto own = origin_of(own_text);
    const bool is_same = own && origin_of(endpoint, *own) == own;
    if (!endpoint.empty() && (is_same || !own)) continue;
    call.charge_step(event.step.value_or(0), "Messages are sent elsewhere.", "a URI on " + own_text,
                     endpoint);
  }
}

// Whether one of the types that the field names is that of event streams (RFC 9110 §12.5.1).
bool takes_event_streams(std::string_view accept) {
  while (!accept.empty()) {
    const std::string range = in_lower_case(std::string(accept.substr(0, accept.find(','))));
    accept.remove_prefix(std::min(range.size() + 1, accept.size()));
    const std::string_view type = wire::trimmed(std::string_view(range).substr(0, range.find(';')));
    const bool is_meant = type == "text/event-stream" || type == "text/*" || type == "*/*";
    const auto weight = range.find("q=");
    const bool is_refused =
        weight != range.npos && range.find_first_of("123456789", weight) == range.npos;
    if (is_meant && !is_refused) return true;
  }
  return false;
}

// Who has not learned to read a stream does not find the Response in it.
void stream_is_accepted(const RuleCall& call) {
  for (const auto& turn : turns_in(call.events)) {
    const auto accept = field_in(turn.request, "Accept");
    if (!turn.response || !accept || takes_event_streams(*accept)) continue;
    call.exercise();
    if (!turn.is_stream()) continue;
    call.charge_step(turn.step, "A client that takes no event streams is answered by one.",
                     *accept + ", or a refusal by 406", turn.response_head);
  }
}

// Who has asked nothing may take it for the answer to a call of its own.
void response_goes_to_who_asked(const RuleCall& call) {
  for (const auto& event : call.events) {
    if (event.note == dialogue::kListensTooNote) call.exercise();
    if (event.note != dialogue::kOverheardNote) continue;
    const dialogue::Message message = dialogue::message_of(event);
    if (dialogue::id_keys_of(message).empty() || message.find("method") != nullptr) continue;
    call.charge_step(event.step.value_or(0), "A client that has asked nothing gets a Response.",
                     "nothing", event.bytes);
  }
}

constexpr std::array kEventStreamRows = {
    RuleRow{"event-is-utf8", &event_is_utf8, Needs::event_streams},
    RuleRow{"resumed-stream-goes-on", &resumed_stream_goes_on, Needs::event_streams},
    RuleRow{"resumed-stream-is-the-same", &resumed_stream_is_the_same, Needs::event_streams},
    RuleRow{"stream-is-accepted", &stream_is_accepted, Needs::event_streams},
    RuleRow{"response-goes-to-who-asked", &response_goes_to_who_asked, Needs::event_streams},
    RuleRow{"endpoint-is-of-the-same-origin", &endpoint_is_of_the_same_origin,
            Needs::event_streams},
};

}  // namespace

std::span<const RuleRow> event_stream_rules() { return kEventStreamRows; }

}  // namespace jrpcheck::judge
