#include "judge/rules/http_turns.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "base/letter_case.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Direction;
using dialogue::Event;

constexpr std::string_view kEndOfHead = "\r\n\r\n";

bool is_http_request(const Event& event) {
  return event.direction == Direction::sent && event.left_out == 0 &&
         event.bytes.find(" HTTP/1.1\r\n") != std::string::npos;
}

// Fills the turns in as the events come. What answers the messages of a step comes in the order of
// asking. A control call has its own: it may ask whether the server is there, where that has closed
// an idle connection and the message goes out once more behind it. What goes out meanwhile goes on
// a connection of its own, and is answered, if at all, before anything else is: an answer to a
// request of the server, and a GET for a stream.
class TurnReader {
 public:
  void take(const Event& event) {
    if (is_http_request(event)) {
      const bool goes_beside = !event.note.empty() && !event.is_control;
      beside_.reset();
      if (goes_beside) {
        beside_.emplace(turns_.size());
      } else {
        waiting_.push_back({turns_.size(), event.is_control});
      }
      turns_.push_back({event.bytes, event.step.value_or(0)});
    } else if (event.direction == Direction::ended) {
      beside_.reset();
      waiting_.clear();
    } else if (event.http && !event.http->is_broken && !event.http->is_handshake) {
      take_http(event);
    }
  }

  std::vector<HttpTurn> turns() { return std::move(turns_); }

 private:
  std::optional<std::size_t> answered_by(const Event& event) {
    const auto beside = std::exchange(beside_, std::nullopt);
    const bool is_to_an_answer =
        event.note == dialogue::kAnswerTakenNote || event.note == dialogue::kAcceptedNote;
    if (beside && (is_to_an_answer || turns_[*beside].method() == "GET")) return beside;
    auto found = std::ranges::find(waiting_, event.is_control, &Waiting::is_control);
    if (found == waiting_.end() && !event.is_control) found = waiting_.begin();
    if (found == waiting_.end()) return std::nullopt;
    const std::size_t place = found->turn;
    waiting_.erase(found);
    return place;
  }

  void take_http(const Event& event) {
    if (event.http->is_block()) return take_of_stream(event);
    const auto place = answered_by(event);
    if (!place) return;
    // What a server says here is its own affair: the answer comes on another stream.
    if (event.note == dialogue::kAcceptedNote) return;
    HttpTurn& turn = turns_[*place];
    turn.response = event.http;
    turn.response_head = event.bytes.substr(0, event.http->size);
    if (event.http->stream) {
      streams_[*event.http->stream] = *place;
    } else {
      turn.body = dialogue::message_of(event);
    }
  }

  // What the server says by itself on a stream that was there before comes on that of a GET.
  void begin_standing_stream(const Event& event) {
    streams_[*event.http->stream] = turns_.size();
    HttpTurn turn{std::string(kStandingStream), event.step.value_or(0)};
    turn.response = event.http;
    turns_.push_back(std::move(turn));
  }

  void take_of_stream(const Event& event) {
    auto found = streams_.find(*event.http->stream);
    if (found == streams_.end()) {
      if (event.direction != Direction::unasked) return;
      begin_standing_stream(event);
      found = streams_.find(*event.http->stream);
    }
    HttpTurn& turn = turns_[found->second];
    if (event.direction == Direction::closed) {
      turn.end = event.note;
      turn.unfinished = event.bytes;
      return;
    }
    wire::SseReader reader;
    reader.feed(event.bytes);
    if (auto block = reader.next()) {
      turn.blocks.push_back(
          {*std::move(block), dialogue::message_of(event), event.step.value_or(0)});
    }
  }

  struct Waiting {
    std::size_t turn;
    bool is_control;
  };

  std::vector<HttpTurn> turns_;
  std::deque<Waiting> waiting_;
  std::optional<std::size_t> beside_;  // what went out last, where that was beside the step
  std::map<std::size_t, std::size_t> streams_;  // the turns of streams, by their number
};

std::vector<std::string> fields_in(std::string_view head, std::string_view name) {
  std::vector<std::string> values;
  while (!head.empty()) {
    const auto end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end == head.npos ? head.size() : end + 2);
    if (line.empty()) break;
    const auto colon = line.find(':');
    if (colon == line.npos || !same_ignoring_case(line.substr(0, colon), name)) continue;
    values.emplace_back(wire::trimmed(line.substr(colon + 1)));
  }
  return values;
}

}  // namespace

dialogue::Message HttpTurn::sent() const {
  const auto head = request.find(kEndOfHead);
  return head == request.npos ? std::string() : request.substr(head + kEndOfHead.size());
}

std::string HttpTurn::type() const {
  if (!response) return {};
  const std::string_view type = response->content_type;
  return in_lower_case(std::string(wire::trimmed(type.substr(0, type.find(';')))));
}

std::optional<std::string> field_in(std::string_view head, std::string_view name) {
  auto values = fields_in(head, name);
  return values.empty() ? std::nullopt : std::optional(std::move(values.front()));
}

std::vector<std::string> list_in(std::string_view head, std::string_view name) {
  std::vector<std::string> elements;
  for (const auto& value : fields_in(head, name)) {
    for (std::string_view rest = value; !rest.empty();) {
      elements.emplace_back(wire::cut_off(rest, ','));
    }
  }
  return elements;
}

std::vector<HttpTurn> turns_in(const std::vector<Event>& events) {
  TurnReader reader;
  for (const auto& event : events) reader.take(event);
  return reader.turns();
}

}  // namespace jrpcheck::judge
