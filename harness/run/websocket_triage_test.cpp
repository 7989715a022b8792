// What somebody is told whose handshake is refused.
#include "run/websocket_triage.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "run/endpoint.hpp"
#include "session/handshakes_for_testing.hpp"

namespace jrpcheck::run {
namespace websocket_triage_test {

std::string told_of(const std::string& refusal) {
  session::testing::HandshakePeer peer({refusal});
  const auto settings = session::testing::upgrade_settings_for_testing();
  Options options;
  options.target = settings.target;
  const auto triage = triage_websocket(peer, options, settings, unknown_control_call(),
                                       Deadline::in(std::chrono::seconds(20)));
  return triage.stranger ? triage.stranger->text("it") : "it serves";
}

TEST(WebsocketTriage, RefusalThatSpeaksOfASubprotocolNamesTheOptionThatOffersOne) {
  using session::testing::refusal_of_handshake;
  for (const auto& refusal :
       {refusal_of_handshake("400 Bad Request", "Subprotocol jsonrpc please"),
        refusal_of_handshake("400 Unsupported sub-protocol", ""),
        refusal_of_handshake("426 Upgrade Required", "Sec-WebSocket-Protocol is missing")}) {
    const std::string told = told_of(refusal);
    EXPECT_NE(told.find("--subprotocol NAME"), std::string::npos) << told;
    EXPECT_EQ(told.find("path"), std::string::npos) << told;
  }
}

TEST(WebsocketTriage, AnyOtherAsksForThePath) {
  using session::testing::refusal_of_handshake;
  for (const auto& refusal : {refusal_of_handshake("400 Bad Request", "no"),
                              refusal_of_handshake("404 Not Found", "no subprotocol here")}) {
    const std::string told = told_of(refusal);
    EXPECT_EQ(told.find("--subprotocol"), std::string::npos) << told;
    EXPECT_NE(told.find("give the path"), std::string::npos) << told;
  }
}

}  // namespace websocket_triage_test
}  // namespace jrpcheck::run
