#include "run/piece_printer.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/bytes.hpp"
#include "session/framed_stream.hpp"

namespace jrpcheck::run {
namespace {

// Between pieces: longer than a network waits for more to send with a small one (RFC 1122
// §4.2.3.4, with acknowledgements that are delayed by 40 ms), and than a busy machine takes to
// read.
constexpr std::size_t kApartMs = 300;
constexpr std::size_t kApartInLoopMs = 50;
constexpr std::string_view kSleepApart = "sleep 0.3; ";
constexpr std::string_view kSleepInLoop = "sleep 0.05; ";

// More would take minutes.
constexpr std::size_t kMostApart = 500;

}  // namespace

void PiecePrinter::add(std::string_view bytes, const corpus::Step& step) {
  // Who has not begun to read yet gets all pieces at once.
  const bool comes_in_pieces = step.write_every > 0 || !step.write_at.empty();
  if (comes_in_pieces && paused_ms_ == 0) pause(kMomentByHand);
  if (step.write_every > 0) return add_in_pieces_of(step.write_every, bytes);
  if (step.messages.size() > 1 && step.write_at.empty()) {
    return add_command(in_one_write(shell_printer(bytes)));
  }
  std::size_t begin = 0;
  for (const std::size_t end : session::cut_offsets(bytes.size(), 0, step.write_at)) {
    const auto piece = bytes.substr(begin, end - begin);
    if (piece.find('\n') < piece.size() - 1) {
      add_command(in_one_write(shell_printer(piece)));
    } else {
      add(piece);
    }
    // What is answered ahead of the rest is given the time for that.
    pause(begin == 0 && step.write_after_replies > 0 ? kMomentByHand : kApartMs);
    begin = end;
  }
  add(bytes.substr(begin));
}

// dd(1) reads what is there already of a pipe, and no more than asked for.
void PiecePrinter::add_in_pieces_of(std::size_t size, std::string_view bytes) {
  const std::size_t count = (bytes.size() + size - 1) / size;
  if (count > kMostApart) {
    add_command(fmt::format("{} | dd bs={} status=none", shell_printer(bytes), size));
    return;
  }
  add_command(fmt::format("{} | for i in $(seq {}); do dd bs={} count=1 status=none; {}done",
                          shell_printer(bytes), count, size, kSleepInLoop));
  paused_ms_ += count * kApartInLoopMs;
}

void PiecePrinter::add_command(const std::string& command) {
  flush();
  commands_ += command + "; ";
}

void PiecePrinter::pause(std::size_t ms) {
  flush();
  commands_ += fmt::format("sleep {}; ", static_cast<double>(ms) / 1000);
  paused_ms_ += ms;
}

std::string PiecePrinter::all() {
  if (commands_.empty()) return shell_printer(std::exchange(ahead_, {}));
  flush();
  return "{ " + commands_ + "}";
}

void PiecePrinter::flush() {
  if (!ahead_.empty()) commands_ += shell_printer(std::exchange(ahead_, {})) + "; ";
}

std::string in_one_write(const std::string& command) { return command + " | { sleep 0.1; cat; }"; }

std::string cutter(const std::vector<std::size_t>& offsets) {
  std::string commands;
  std::size_t begin = 0;
  for (const std::size_t end : offsets) {
    commands += fmt::format("dd bs=1 count={} status=none; {}", end - begin, kSleepApart);
    begin = end;
  }
  return "{ " + commands + "cat; }";
}

}  // namespace jrpcheck::run
