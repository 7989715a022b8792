// What a connection that was closed has brought answers nothing on the next.
#include "session/sent_again.hpp"

#include <gtest/gtest.h>

#include <string>

#include "dialogue/exchanges_of.hpp"

namespace jrpcheck::session {
namespace sent_again_test {

void add_frame(wire::ControlFrame::Kind kind, std::size_t code, dialogue::Transcript& transcript) {
  dialogue::Event event{dialogue::Direction::control, {}, "", "frame"};
  event.frame = wire::ControlFrame{kind, code};
  transcript.add(std::move(event));
}

TEST(SentAgain, CloseAndPongOfTheFormerConnectionAreLeftBehind) {
  using Kind = wire::ControlFrame::Kind;
  dialogue::Transcript transcript;
  transcript.begin_step(0);
  transcript.add(dialogue::Direction::sent, "call");
  add_frame(Kind::pong, 0, transcript);
  add_frame(Kind::close, 4000, transcript);
  note_sent_again(0, transcript);
  leave_behind(0, transcript);  // once is enough
  add_frame(Kind::close, 1000, transcript);
  transcript.add(dialogue::end_of({}));
  const auto exchanges = dialogue::exchanges_of(transcript.whole());
  ASSERT_TRUE(exchanges);
  const auto& exchange = exchanges->steps.front();
  ASSERT_TRUE(exchange.close);
  EXPECT_EQ(exchange.close->code, 1000U);
  EXPECT_TRUE(exchange.pongs.empty());
  EXPECT_EQ(transcript.whole()[2].note, "on the connection before: frame");
}

}  // namespace sent_again_test
}  // namespace jrpcheck::session
