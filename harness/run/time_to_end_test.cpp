#include "run/time_to_end.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::run {
namespace time_to_end_test {

using dialogue::Direction;

constexpr const char* kAfterACall = "stdio/end-of-input";
constexpr const char* kAtOnce = "stdio/end-of-input-at-once";

dialogue::Event event(Direction direction, microseconds at, std::optional<std::size_t> step) {
  dialogue::Event event{direction, at, {}};
  event.step = step;
  return event;
}

// A call is answered, and its program ends so long after the end of its input.
result::CaseResult ending_after(microseconds taken, const std::string& id = kAfterACall) {
  constexpr milliseconds kComingUp{3000};
  result::CaseResult result;
  result.id = id;
  result.transcript = {event(Direction::sent, milliseconds(1), 0),
                       event(Direction::received, kComingUp, 0),
                       event(Direction::ended, kComingUp, 0), event(Direction::sent, kComingUp, 1),
                       event(Direction::exited, kComingUp + taken, 1)};
  return result;
}

std::string note_of(const std::vector<result::CaseResult>& cases) {
  return note_of_slow_end(corpus::corpus_for_testing(corpus::kDefaultProfile), cases,
                          milliseconds(5000));
}

TEST(SlowEnd, IsToldWithTheLongestOfThem) {
  EXPECT_EQ(note_of({ending_after(milliseconds(2100)), ending_after(milliseconds(4200))}),
            "The program took 4.2 s to end by itself (stdio/end-of-input). The rules name no time, "
            "and jrpcheck waits 5 s; the client libraries of VS Code and of MCP for Python kill it "
            "after 2 s.");
}

TEST(SlowEnd, IsNoneWithinTheTimeThatClientsWait) {
  EXPECT_EQ(note_of({}), "");
  EXPECT_EQ(note_of({ending_after(milliseconds(2000))}), "");
}

// It may have come up only after its input had ended.
TEST(SlowEnd, IsNoneOfAProgramThatHadSaidNothingYet) {
  result::CaseResult result;
  result.id = kAtOnce;
  result.transcript = {event(Direction::sent, milliseconds(1), 0),
                       event(Direction::exited, milliseconds(4200), 0)};
  EXPECT_EQ(note_of({result}), "");
}

TEST(SlowEnd, IsNoneOfAProgramThatDiesOrRunsOn) {
  EXPECT_EQ(note_of({ending_after(milliseconds(4200), "error/unknown-method")}), "");
  auto running = ending_after(milliseconds(4200));
  running.transcript.back().direction = Direction::quiet;
  EXPECT_EQ(note_of({running}), "");
}

}  // namespace time_to_end_test
}  // namespace jrpcheck::run
