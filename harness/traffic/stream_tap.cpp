#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/letter_case.hpp"
#include "dialogue/message.hpp"
#include "traffic/framed_side.hpp"
#include "traffic/tap.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;

// By then whoever sends messages has sent one.
constexpr std::size_t kMostUndecided = 64U << 10;
constexpr std::size_t kMostTries = 200;
constexpr std::string_view kBlanks = " \t\r\n";

// Which framing a stream is in, by how the client begins: as only one framing does, or with JSON,
// of which one message stands on each line or directly behind the other.
class FramingGuess {
 public:
  /// Null as long as both may still be.
  const wire::Binding* of(std::string_view bytes) {
    const auto begin = bytes.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return nullptr;
    bytes.remove_prefix(begin);
    for (const wire::Binding& row : wire::bindings()) {
      const auto sign = row.begins_stream;
      if (sign.empty() || !begins_ignoring_case(sign, bytes.substr(0, sign.size()))) continue;
      return bytes.size() < sign.size() ? nullptr : &row;
    }
    if (bytes.size() > kMostUndecided || ++tries_ > kMostTries) return &lines();
    return of_json(bytes);
  }

  /// Whose bytes these are waits, and the other speaks: no more will tell.
  static const wire::Binding* once_answered(std::string_view bytes) {
    if (bytes.find_first_not_of(kBlanks) == std::string_view::npos) return nullptr;
    const bool is_ended = bytes.find('\n') != std::string_view::npos;
    const bool is_whole = dialogue::Message(std::string(bytes)).value() != nullptr;
    return is_whole && !is_ended ? &values() : &lines();
  }

  /// The client says nothing: what is left is how the server begins.
  static const wire::Binding& of_server(std::string_view bytes) {
    const auto* row = wire::framing_begun_by(bytes);
    return row == nullptr ? lines() : *row;
  }

 private:
  static const wire::Binding& lines() { return wire::default_stream_binding(); }
  // One directly behind the other.
  static const wire::Binding& values() { return wire::first_that(&wire::Binding::structures_only); }

  static const wire::Binding* of_json(std::string_view bytes) {
    const auto line = bytes.substr(0, bytes.find('\n'));
    const bool is_structure = bytes.front() == '{' || bytes.front() == '[';
    if (!is_structure) return line.size() < bytes.size() ? &lines() : nullptr;
    const dialogue::Message first{std::string(line)};
    const bool has_line_end = line.size() < bytes.size();
    if (first.value() != nullptr) return has_line_end ? &lines() : nullptr;
    const bool is_cut_off = first.error().offset >= line.size();
    if (is_cut_off) return of_spread_json(bytes, has_line_end);
    // A whole value, and something behind it on the same line.
    const auto rest = line.substr(first.error().offset);
    const dialogue::Message before{std::string(line.substr(0, first.error().offset))};
    if (before.value() == nullptr) return has_line_end ? &lines() : nullptr;
    return rest.front() == '{' || rest.front() == '[' ? &values() : &lines();
  }

  // A message over several lines is right where messages end by themselves.
  static const wire::Binding* of_spread_json(std::string_view bytes, bool has_line_end) {
    if (!has_line_end) return nullptr;
    const dialogue::Message whole{std::string(bytes)};
    if (whole.value() != nullptr) return &values();
    if (whole.error().offset >= bytes.size()) return nullptr;
    const dialogue::Message before{std::string(bytes.substr(0, whole.error().offset))};
    return before.value() != nullptr ? &values() : &lines();
  }

  std::size_t tries_ = 0;
};

class StreamTap : public Tap {
 public:
  StreamTap(const wire::Binding* binding, bool on_sockets, std::size_t connection, TapSink sink)
      : on_sockets_(on_sockets), connection_(connection), sink_(std::move(sink)) {
    if (binding != nullptr) use(*binding);
  }

  void feed(Side side, std::string_view bytes, microseconds at) override {
    if (is_lost_) return;
    if (sides_[place(side)]) {
      if (side == Side::server && !std::exchange(server_has_spoken_, true) &&
          is_in_another(bytes)) {
        return lose(at);
      }
      return take(side, bytes, at);
    }
    held_.push_back({side, std::string(bytes), at});
    auto& said = said_[place(side)];
    said.append(bytes);
    const auto& heard = said_[place(Side::client)];
    const auto* framing = side == Side::client ? guess_.of(heard) : guess_.once_answered(heard);
    if (framing == nullptr && said.size() > kMostUndecided) {
      framing = &FramingGuess::of_server(said);
    }
    if (framing != nullptr) decide(*framing);
  }

  void close(Side side, microseconds at, const std::string& note) override {
    if (!is_lost_ && !sides_[0] && !held_.empty()) {
      const auto& [heard, answered] = said_;
      const auto* framing = guess_.once_answered(heard);
      decide(framing != nullptr ? *framing : FramingGuess::of_server(answered));
    }
    if (!is_lost_ && !held_.empty()) release();
    const bool is_cut_off = side == Side::client && note == dialogue::kReset;
    if (!is_lost_ && !is_cut_off && sides_[place(side)]) sides_[place(side)]->end(at, of_stream());
    TrafficEvent event{TrafficEvent::Kind::closed, side, at, connection_};
    event.note = note;
    sink_.traffic(std::move(event));
  }

  void lose(microseconds at) override {
    is_lost_ = true;
    sink_.traffic({TrafficEvent::Kind::lost, Side::client, at, connection_});
  }

 private:
  // What passed while nobody knew the framing.
  struct Held {
    Side side;
    std::string bytes;
    microseconds at;
  };

  // Who does not take the framing of its client says so in its own.
  bool is_in_another(std::string_view bytes) const {
    if (binding_->head_bytes > 0) return bytes.front() == '{' || bytes.front() == '[';
    return wire::framing_begun_by(bytes) != nullptr;
  }

  static std::size_t place(Side side) { return side == Side::client ? 0 : 1; }

  void use(const wire::Binding& framing) {
    binding_ = on_sockets_ ? &wire::on_sockets(framing) : &framing;
    sink_.framing(*binding_, connection_);
    const bool in_lines = binding_->ends_message.find('\n') != std::string_view::npos;
    // An empty line of the server's answers nothing.
    if (!sides_[0]) begin(Side::client, in_lines ? EmptyLines::told : EmptyLines::skipped);
    begin(Side::server, EmptyLines::skipped);
  }

  void begin(Side side, EmptyLines empty_lines) {
    sides_[place(side)].emplace(side, connection_, binding_->framing(kTapLimits), empty_lines);
  }

  // Whoever speaks first is answered: what was held goes on in its order, each at its own time.
  void decide(const wire::Binding& framing) {
    use(framing);
    said_ = {};
    may_be_values_ = &framing == &wire::default_stream_binding();
    for (const Held& each : std::exchange(held_, {})) take(each.side, each.bytes, each.at);
  }

  void take(Side side, std::string_view bytes, microseconds at) {
    if (may_be_values_ && (side == Side::server || !held_.empty())) {
      return hold_answer(side, bytes, at);
    }
    sides_[place(side)]->feed(bytes, at, of_stream());
  }

  // Lines of the client's are values one behind the other as well: which of both is spoken shows in
  // how the first value of the server's ends.
  void hold_answer(Side side, std::string_view bytes, microseconds at) {
    held_.push_back({side, std::string(bytes), at});
    auto& said = said_[place(side)];
    said.append(bytes);
    const auto& answered = said_[place(Side::server)];
    const auto* framing = side == Side::server ? guess_of_server_.of(answered) : nullptr;
    const bool is_much = said.size() > kMostUndecided;
    if (is_much) framing = FramingGuess::once_answered(answered);
    if (framing == nullptr && !is_much) return;
    if (framing != nullptr && framing->structures_only) use(*framing);
    release();
  }

  void release() {
    may_be_values_ = false;
    said_ = {};
    for (const Held& each : std::exchange(held_, {})) take(each.side, each.bytes, each.at);
  }

  // On a stream where nothing marks what a message is, a line that does not begin like one is none.
  Sink of_stream() {
    return [this](TrafficEvent event) {
      const std::string& text = event.message.text();
      const bool is_like_json = !text.empty() && (text.front() == '{' || text.front() == '[');
      if (event.kind == TrafficEvent::Kind::message && !binding_->delimits_messages &&
          !is_like_json && event.message.value() == nullptr) {
        event.kind = TrafficEvent::Kind::noise;
      }
      sink_.traffic(std::move(event));
    };
  }

  bool on_sockets_;
  std::size_t connection_;
  TapSink sink_;
  const wire::Binding* binding_ = nullptr;
  FramingGuess guess_;
  FramingGuess guess_of_server_;
  std::vector<Held> held_;           // in the order in which it passed
  std::array<std::string, 2> said_;  // the same, by side
  std::array<std::optional<FramedSide>, 2> sides_;
  bool server_has_spoken_ = false;
  bool may_be_values_ = false;  // by what the client has said, which was lines
  bool is_lost_ = false;
};

}  // namespace

std::unique_ptr<Tap> make_stream_tap(const wire::Binding* binding, bool on_sockets,
                                     std::size_t connection, TapSink sink) {
  return std::make_unique<StreamTap>(binding, on_sockets, connection, std::move(sink));
}

}  // namespace jrpcheck::traffic
