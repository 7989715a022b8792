// Handshakes that are refused, for good or for the number of those who come.
#include "session/framed_connection.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "session/handshakes_for_testing.hpp"

namespace jrpcheck::session {
namespace framed_connection_test {

using testing::HandshakePeer;
using testing::kSwitch;
using testing::refusal_of_handshake;

Result<FramedConnection> connect_to(HandshakePeer& peer, dialogue::Transcript& transcript,
                                    bool is_told = false) {
  StreamSettings settings{&wire::first_that(&wire::Binding::is_upgrade), {}, {"control", ""}};
  settings.upgrade = testing::upgrade_settings_for_testing();
  settings.upgrade->is_told = is_told;
  return connect(peer, settings, 1, Deadline::in(std::chrono::seconds(20)), transcript);
}

TEST(ConnectionToLimitedServer, IsAskedForAgainUntilOneOfOursIsSeenToBeClosed) {
  for (const char* status : {"429 Too Many Requests", "503 Service Unavailable"}) {
    HandshakePeer peer({refusal_of_handshake(status), refusal_of_handshake(status), kSwitch});
    dialogue::Transcript transcript;
    EXPECT_TRUE(connect_to(peer, transcript)) << status;
    EXPECT_EQ(peer.connections, 3U);
    EXPECT_FALSE(peer.has_refused());
  }
}

TEST(ConnectionToLimitedServer, IsGivenUpWhereItIsRefusedAllTheTime) {
  HandshakePeer peer({refusal_of_handshake("503 Service Unavailable", "busy")});
  dialogue::Transcript transcript;
  const auto refused = connect_to(peer, transcript);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the upgrade to WebSocket was refused: HTTP 503: busy");
  EXPECT_EQ(peer.connections, kUntilNoticed.size() + 1);
  EXPECT_TRUE(peer.has_refused());
}

TEST(ConnectionToLimitedServer, IsToldOnce) {
  HandshakePeer peer({refusal_of_handshake("503 Service Unavailable"), kSwitch});
  dialogue::Transcript transcript;
  ASSERT_TRUE(connect_to(peer, transcript, true));
  ASSERT_EQ(transcript.whole().size(), 2U);
  EXPECT_EQ(transcript.whole().back().http->status, 101U);
}

TEST(ConnectionToServerThatRefuses, IsNotAskedForAgain) {
  HandshakePeer peer({refusal_of_handshake("403 Forbidden"), kSwitch});
  dialogue::Transcript transcript;
  EXPECT_FALSE(connect_to(peer, transcript));
  EXPECT_EQ(peer.connections, 1U);
  EXPECT_FALSE(peer.has_refused());
}

}  // namespace framed_connection_test
}  // namespace jrpcheck::session
