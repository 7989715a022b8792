#include "run/framing_discovery.hpp"

#include <gtest/gtest.h>

#include <string>

#include "run/run_for_testing.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::run {
namespace framing_discovery_test {

class FramingDiscovery : public GuardedTest {
 protected:
  static std::string found(const std::string& script) {
    const auto peer = transport::make_program_peer({"sh", "-c", script}, *guardian_);
    const auto framing =
        discover_framing(*peer, "sh", {}, {}, {}, Deadline::in(std::chrono::seconds(10)));
    return framing ? std::string(framing->binding->name) : framing.error().message;
  }
};

// Who is given a line says something of its own all the same, at once; who is given a head answers
// a little later.
std::string heard_late(const std::string& of_its_own) {
  return R"(say() { printf 'Content-Length: %d\r\n\r\n%s' ${#1} "$1"; }
    notify() { say '{"jsonrpc":"2.0","method":"window/logMessage","params":{}}'; }
    read -r line
    case $line in
      C*) sleep 0.8; say '{"jsonrpc":"2.0","id":1,"result":0}' ;;
      *) )" +
         of_its_own + R"( ;;
    esac
    cat >/dev/null)";
}

TEST_F(FramingDiscovery, AMessageAndTheHeadOfTheNextAreNoLine) {
  EXPECT_EQ(found(heard_late("notify; notify")), "content-length");
}

TEST_F(FramingDiscovery, AMessageBehindAHeadWaitsForNoLineFeed) {
  EXPECT_EQ(found(heard_late("notify")), "content-length");
}

// Longer than what is said of a program that has read a line and answers nothing.
TEST_F(FramingDiscovery, AProgramThatEndsNoLineMayComeUpLate) {
  EXPECT_EQ(found(R"(sleep 2.5; read -r line; printf '{"jsonrpc":"2.0","id":1,"result":0}')"
                  "; cat >/dev/null"),
            "concatenated");
}

}  // namespace framing_discovery_test
}  // namespace jrpcheck::run
