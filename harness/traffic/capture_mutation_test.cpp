// Files of strangers: whatever is in them, reading ends, and the judge bears what comes of it.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <sstream>

#include "judge/test_support.hpp"
#include "judge/traffic/traffic_judge.hpp"
#include "traffic/capture.hpp"

namespace jrpcheck::traffic {
namespace capture_mutation_test {

constexpr std::array<std::string_view, 6> kSeeds = {
    "{\"schema\":\"jrpcheck-traffic-1\",\"binding\":\"lines\"}\n"
    "{\"t\":1.5,\"dir\":\"client\",\"text\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"method\\\":"
    "\\\"a\\\","
    "\\\"id\\\":1}\"}\n"
    "{\"t\":2,\"dir\":\"server\",\"connection\":2,\"exchange\":1,\"status\":200,\"base64\":\"e30="
    "\"}\n"
    "{\"t\":2,\"dir\":\"server\",\"event\":\"closed\",\"note\":\"x\"}\n",
    ">> [{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}]\n<< [{\"jsonrpc\":\"2.0\",\"id\":1,"
    "\"result\":null}]\n",
    "[LSP - 1] "
    "{\"type\":\"send-request\",\"message\":{\"id\":1,\"method\":\"a\"},\"timestamp\":1}\n",
    "{\"session_id\":\"s\",\"ts\":\"2026-06-27T19:29:00.5Z\",\"direction\":\"c2s\",\"raw\":{\"id\":"
    "1}}\n",
    "{\"msgKind\":\"request\",\"from\":\"client\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"msg\":{}"
    "}\n",
    "{\"log\":{\"entries\":[{\"startedDateTime\":\"2026-01-01T00:00:00Z\",\"time\":1,\"request\":{"
    "\"method\":\"POST\",\"postData\":{\"text\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"method\\\":"
    "\\\"a\\\"}\"}},\"response\":{\"status\":200,\"content\":{\"text\":\"[]\"}}},"
    "{\"_webSocketMessages\":[{\"type\":\"send\",\"time\":1,\"opcode\":1,\"data\":"
    "\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"method\\\":\\\"a\\\"}\"}]}]}}"};

std::string mutated(std::string text, std::mt19937& random) {
  const auto pick = [&](std::size_t most) { return most == 0 ? 0 : random() % most; };
  for (auto changes = 1 + pick(6); changes > 0; --changes) {
    const std::size_t at = pick(text.size() + 1);
    switch (pick(5)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, pick(20));
        break;
      case 2:
        text.insert(at, text.substr(pick(text.size() + 1), pick(40)));
        break;
      case 3:
        text.insert(at, kSeeds[pick(kSeeds.size())]);
        break;
      default:
        text.insert(at, std::string(pick(300), "[{\"9\n"[pick(5)]));
    }
  }
  return text;
}

TEST(CaptureMutation, AnyBytesAreReadToTheirEndAndJudged) {
  std::mt19937 random(4711);  // the same in every run
  std::size_t read = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto text = mutated(std::string(kSeeds[random() % kSeeds.size()]), random);
    std::istringstream file(text);
    judge::TrafficJudge judge({&judge::real_ledger()});
    std::size_t events = 0;
    const auto capture = read_capture(
        file, "test", [&](const Capture& known) { judge.use(*known.binding, 1); },
        [&](const dialogue::TrafficEvent& event) {
          ++events;
          judge.take(event);
        });
    judge.end();
    EXPECT_LE(events, 2 * text.size());
    if (capture) ++read;
  }
  EXPECT_GT(read, 1000U);  // most are still captures
}

}  // namespace capture_mutation_test
}  // namespace jrpcheck::traffic
