#include "fuzz/memory_growth.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "transport/resident_memory.hpp"

namespace jrpcheck::fuzz {
namespace {

// A look costs about a millisecond.
constexpr milliseconds kBetweenLooks{250};
constexpr std::size_t kTogether = 32;
constexpr std::size_t kInAShortLook = 512;  // messages
constexpr std::size_t kRounds = 4;
// Enough to tell growth from the pieces in which allocators take memory from the system, and little
// enough not to fill the machine.
constexpr std::size_t kInARound = 4U << 20;
constexpr std::size_t kLeastGrowth = 256U << 10;
constexpr double kMostInARound = 4096;  // messages

std::size_t memory_of(const Executor& executor) {
  const auto group = executor.process_group();
  return group ? transport::resident_memory(*group).value_or(0) : 0;
}

// Gives how often it was sent.
std::size_t send_again_and_again(Executor& executor, const corpus::Step& step, std::size_t times,
                                 Deadline deadline) {
  const std::vector<const corpus::Step*> several(std::min(executor.most_together(), kTogether),
                                                 &step);
  std::size_t sent = 0;
  while (sent < times && !deadline.passed()) {
    if (several.size() > 1 && executor.send_all(several) && executor.take_all()) {
      sent += several.size();
      continue;
    }
    if (!executor.execute(step)) return sent;
    ++sent;
  }
  return sent;
}

SteadyGrowth::Round play_round(Executor& executor, const corpus::Step& step, std::size_t times,
                               Deadline deadline) {
  const auto group = executor.process_group();
  const std::size_t before = memory_of(executor);
  const std::size_t sent = send_again_and_again(executor, step, times, deadline);
  const std::size_t after = memory_of(executor);
  // What a program holds that was started meanwhile says nothing of the one before.
  const bool has_grown = after > before && executor.process_group() == group;
  return {sent, has_grown ? after - before : 0};
}

}  // namespace

bool MemoryWatch::has_grown(const Executor& executor) {
  if (!next_.passed()) return false;
  next_ = Deadline::in(kBetweenLooks);
  const auto group = executor.process_group();
  const auto now = group ? transport::resident_memory(*group) : std::nullopt;
  if (!now) return false;
  if (!held_ || group != group_) {
    held_ = {*now, *now};
    grown_from_ = *now;
  }
  group_ = group;
  held_->now = *now;
  if (most_ == 0 || *now < grown_from_ + most_) return false;
  grown_from_ = *now;
  return true;
}

std::string SteadyGrowth::text() const {
  std::string text;
  for (const auto& round : rounds) {
    constexpr double kMebibyte = 1U << 20;
    text += fmt::format("{}{:.1f} MiB in {} messages", text.empty() ? "grew by " : ", ",
                        static_cast<double>(round.bytes) / kMebibyte, round.messages);
  }
  return text;
}

std::string in_mebibytes(std::size_t bytes) { return fmt::format("{} MiB", bytes >> 20U); }

// In ever larger steps, because one message may cost a great deal.
double growth_with_each(Executor& executor, const corpus::Step& step, Deadline deadline) {
  const std::size_t before = memory_of(executor);
  std::size_t sent = 0;
  std::size_t grown = 0;
  for (std::size_t next = 1; sent < kInAShortLook && grown < kInARound && !deadline.passed();
       next *= 2) {
    const std::size_t more = send_again_and_again(executor, step, next, deadline);
    if (more == 0) break;  // there is no server any more
    sent += more;
    const std::size_t now = memory_of(executor);
    grown = now > before ? now - before : 0;
  }
  return sent == 0 ? 0 : static_cast<double>(grown) / static_cast<double>(sent);
}

std::optional<SteadyGrowth> find_steady_growth(Executor& executor, const corpus::Step& step,
                                               Deadline deadline) {
  const double each = growth_with_each(executor, step, deadline);
  if (each <= 0) return std::nullopt;
  const auto times = static_cast<std::size_t>(
      std::clamp(static_cast<double>(kInARound) / each, 1.0, kMostInARound));
  SteadyGrowth growth;
  while (growth.rounds.size() < kRounds) {
    if (deadline.passed()) return std::nullopt;
    growth.rounds.push_back(play_round(executor, step, times, deadline));
    const std::size_t least = std::max(kLeastGrowth, growth.rounds.front().bytes / 2);
    if (growth.rounds.back().bytes < least) return std::nullopt;
  }
  return growth;
}

}  // namespace jrpcheck::fuzz
