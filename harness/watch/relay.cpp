#include "watch/relay.hpp"

#include <poll.h>

#include <array>
#include <string>

namespace jrpcheck::watch {
namespace {

using dialogue::Side;
using transport::ByteStream;

// What a slow reader has not taken yet: beyond this its peer is not read, and so waits as it would
// without us.
constexpr std::size_t kMostHeld = 1U << 20;
constexpr int kLookMs = 100;

bool takes_output(ByteStream& stream) {
  pollfd polled{stream.polled().writing, POLLOUT, 0};
  return ::poll(&polled, 1, 0) > 0;
}

// One direction.
struct Way {
  Side side;
  ByteStream& from;
  ByteStream& to;
  std::string held = {};
  bool has_ended = false;  // nothing more is read
  bool is_closed = false;  // and that is passed on

  bool wants_input() const { return !has_ended && held.size() < kMostHeld; }
};

class Relay {
 public:
  Relay(const RelayEnds& ends, std::uint32_t connection, JournalWriter& journal)
      : ends_(ends),
        connection_(connection),
        journal_(journal),
        ways_{
            {{Side::client, ends.client, ends.server}, {Side::server, ends.server, ends.client}}} {}

  void run() {
    while (!is_over() && !is_interrupted()) {
      await();
      for (auto& way : ways_) move(way, other_than(way));
      for (auto& way : ways_) pass_on_end(way);
    }
    journal_.write(JournalEntry::Kind::over, Side::client, connection_, {});
  }

 private:
  Way& other_than(const Way& way) { return &way == &ways_[0] ? ways_[1] : ways_[0]; }

  bool is_over() {
    if (ways_[0].is_closed && ways_[1].is_closed) return true;
    // Nobody is there any more who could answer.
    return ways_[1].is_closed && ends_.program != nullptr &&
           ends_.program->ended(Deadline::firmly_in(microseconds(0)));
  }

  void await() {
    std::array<pollfd, 4> polled{};
    bool is_ready = false;
    for (std::size_t i = 0; i < ways_.size(); ++i) {
      const auto of_from = ways_[i].from.polled();
      const auto of_to = ways_[i].to.polled();
      polled[2 * i] = {ways_[i].wants_input() ? of_from.reading : -1, POLLIN, 0};
      const bool is_to_write = !ways_[i].held.empty() || of_to.has_output;
      polled[2 * i + 1] = {is_to_write ? of_to.writing : -1, POLLOUT, 0};
      is_ready = is_ready || (ways_[i].wants_input() && of_from.has_input);
    }
    ::poll(polled.data(), polled.size(), is_ready ? 0 : kLookMs);
  }

  // Writes what is held for the stream that `way` reads from, and reads from it.
  void move(Way& way, Way& back) {
    constexpr int kMostAtOnce = 16;  // the other direction waits meanwhile
    for (int i = 0; i < kMostAtOnce; ++i) {
      const bool may_write = !back.held.empty() && takes_output(way.from);
      if (!way.wants_input() && !may_write) return;
      std::string in;
      const auto done = way.from.transfer(may_write ? back.held : std::string_view(), in,
                                          Deadline::firmly_in(microseconds(0)));
      back.held.erase(0, done.written);
      if (done.broken) back.held.clear();
      if (!in.empty()) take(way, in);
      if (done.ended || done.reset) end(way, done.reset);
      if (done.broken) stop(back);
      if (done.timed_out || done.ended || done.broken) return;
    }
  }

  void take(Way& way, const std::string& in) {
    journal_.write(JournalEntry::Kind::bytes, way.side, connection_, in);
    if (way.is_closed) return;  // nobody is there to take it
    std::string_view out = in;
    // What leaves at once need not be held; what comes back meanwhile is to have room.
    if (way.held.empty() && other_than(way).held.size() < kMostHeld) {
      std::string back;
      const auto done = way.to.transfer(out, back, Deadline::firmly_in(microseconds(0)));
      out.remove_prefix(done.written);
      auto& other = other_than(way);
      if (!back.empty()) take_back(other, back);
      if (done.ended || done.reset) end(other, done.reset);
      if (done.broken) return stop(way);
    }
    way.held.append(out);
  }

  void take_back(Way& way, const std::string& in) {
    journal_.write(JournalEntry::Kind::bytes, way.side, connection_, in);
    if (!way.is_closed) way.held.append(in);
  }

  void end(Way& way, bool is_reset) {
    if (way.has_ended) return;
    way.has_ended = true;
    std::string how;
    if (is_reset) how = dialogue::kReset;
    if (way.side == Side::server && ends_.program != nullptr) {
      constexpr milliseconds kForEnding{50};
      const auto status = ends_.program->ended(Deadline::in(kForEnding));
      if (status) how = status->text();
    }
    journal_.write(JournalEntry::Kind::closed, way.side, connection_, how);
    if (!is_reset) return;
    way.held.clear();
    way.to.reset();
    way.is_closed = true;
    other_than(way).has_ended = other_than(way).is_closed = true;
  }

  // Who takes nothing more is written nothing more; what it still says is carried on.
  static void stop(Way& way) {
    way.held.clear();
    way.has_ended = way.is_closed = true;
  }

  static void pass_on_end(Way& way) {
    if (!way.has_ended || way.is_closed || !way.held.empty()) return;
    way.to.close_write();
    way.is_closed = true;
  }

  RelayEnds ends_;
  std::uint32_t connection_;
  JournalWriter& journal_;
  std::array<Way, 2> ways_;
};

}  // namespace

void relay(const RelayEnds& ends, std::uint32_t connection, JournalWriter& journal) {
  Relay(ends, connection, journal).run();
}

}  // namespace jrpcheck::watch
