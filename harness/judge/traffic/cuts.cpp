// Messages that their framing has cut: one length or line feed is wrong, and the rest comes as what
// is no message.
#include "base/bytes.hpp"
#include "dialogue/id_key.hpp"
#include "judge/envelope.hpp"
#include "judge/on_the_wire.hpp"
#include "judge/traffic/rules.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Message;
using dialogue::Side;
using dialogue::TrafficEvent;

constexpr std::size_t kLongestCut = 1U << 16;
// With each line the message is read anew from its beginning.
constexpr std::size_t kMostReadOfCut = 4U << 20;

enum class Rest { none, part, all };

bool begins_like_json(const std::string& text) {
  return !text.empty() && (text.front() == '{' || text.front() == '[');
}

bool ends_too_early(const Message& message) {
  return message.value() == nullptr && message.error().offset >= message.text().size();
}

Rest add_line(CutMessage& cut, const Message& line) {
  cut.bytes_read += cut.spaced.size();
  const bool is_much = cut.spaced.size() + line.text().size() > kLongestCut;
  // One that says its version is a message itself.
  if (is_much || cut.bytes_read > kMostReadOfCut || line.find("jsonrpc") != nullptr) {
    return Rest::none;
  }
  cut.spaced += '\n' + line.text();
  cut.escaped += "\\n" + line.text();
  Rest rest = Rest::none;
  for (const auto* joined : {&cut.spaced, &cut.escaped}) {
    Message whole(*joined);
    if (whole.value() != nullptr) {
      cut.begin.message = std::move(whole);
      return Rest::all;
    }
    if (ends_too_early(whole)) rest = Rest::part;
  }
  return rest;
}

}  // namespace

bool TrafficJudge::TrafficRules::note_cut(WatchedConnection& connection, bool is_charged) {
  const Side side = event_->side;
  const auto& binding = binding_of(connection);
  const std::string& text = event_->message.text();
  const bool may_cut = !binding.wrong_length.empty() || !binding.several_lines.empty();
  if (!may_cut || event_->message.value() != nullptr || text.size() > kLongestCut) return false;
  dialogue::Exchange alone;
  alone.replies.push_back({event_->message});
  const bool has_length = !binding.wrong_length.empty();
  const bool is_too_long = has_length && shows_wrong_length(alone);
  // Where a length tells its end, it may hold the beginning of the next as well.
  const bool may_be_cut = begins_like_json(text) && (has_length || ends_too_early(event_->message));
  if (!is_too_long && !may_be_cut) return false;
  const bool is_of_client = side == Side::client;
  connection.cut[place_of(side)] = {*event_,    text, text, 0, is_charged || is_of_client,
                                    is_too_long};
  return !is_of_client;
}

bool TrafficJudge::TrafficRules::goes_on(WatchedConnection& connection) {
  const Side side = event_->side;
  auto& cut = connection.cut[place_of(side)];
  if (!cut) return false;
  const auto& binding = binding_of(connection);
  const bool is_message = event_->kind == TrafficEvent::Kind::message;
  dialogue::Exchange exchange;
  exchange.replies.push_back({cut->begin.message});
  exchange.noise.push_back({event_->message.text(), event_->note});
  Rest rest = Rest::none;
  if (cut->is_too_long) {
    rest = is_message ? Rest::none : Rest::part;
  } else if (binding.wrong_length.empty()) {
    rest = add_line(*cut, event_->message);
    exchange.replies = {{cut->begin.message, 0, true}};
    exchange.noise.clear();
  } else if (!is_message && shows_wrong_length(exchange)) {
    rest = Rest::all;
    cut->begin.message = cut->begin.message.text() + event_->message.text();
  }
  if (rest == Rest::none) {
    charge_cut(connection, side);
    return false;
  }
  note_unread(connection);
  if (rest == Rest::part && side == Side::server) note_unreadable_answer(connection);
  if (rest == Rest::all) end_cut(connection, exchange);
  return true;
}

// The call that the whole would answer has had it.
void TrafficJudge::TrafficRules::end_cut(WatchedConnection& connection,
                                         const dialogue::Exchange& exchange) {
  const Side side = event_->side;
  const CutMessage cut = *std::exchange(connection.cut[place_of(side)], std::nullopt);
  auto& calls = asked_by(connection, dialogue::other(side)).calls;
  if (const auto whole = message_within(cut.begin.message.text())) {
    for (const auto& key : dialogue::id_keys_of(*whole)) calls.put_aside(key);
  }
  if (cut.is_charged) return;
  charge_as_of(cut.begin, [&] {
    judge(side, {},
          [&](Charger& charger) { judge_framing(exchange, {}, binding_of(connection), charger); });
  });
}

void TrafficJudge::TrafficRules::charge_cut(WatchedConnection& connection, Side side) {
  const auto cut = std::exchange(connection.cut[place_of(side)], std::nullopt);
  if (!cut || cut->is_charged || cut->is_too_long) return;
  charge_as_of(cut->begin, [&] {
    judge(side, {}, [&](Charger& charger) { judge_text(cut->begin.message, charger); });
  });
}

}  // namespace jrpcheck::judge
