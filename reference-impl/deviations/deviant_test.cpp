#include "reference-impl/deviations/deviant.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <string>
#include <thread>

#include "reference-impl/descriptor.hpp"
#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"
#include "reference-impl/methods.hpp"

namespace jrpcheck::reference {
namespace {

using wire::FramingKind;

constexpr std::string_view kCall = R"({"jsonrpc":"2.0","method":"subtract","params":[3,2],"id":1})";
constexpr std::string_view kReply = R"({"jsonrpc":"2.0","result":1,"id":1})";

wire::HttpMessage post(std::string_view body) {
  wire::HttpReader reader(wire::HttpReader::Role::server);
  reader.feed(wire::http_request(
      "POST", "/", {{"Host", "a"}, {"Content-Length", std::to_string(body.size())}}, body));
  return *reader.next();
}

class DeviantTest : public testing::Test {
 protected:
  /// The reply to `message` of the server that behaves like this.
  Reply reply(const Behaviour& behaviour, std::string_view message) const {
    return DeviantHandler(proper_, behaviour).handle(message);
  }

  const Dispatcher proper_ = make_reference_dispatcher();
};

TEST_F(DeviantTest, IsTheProperServerWithoutABehaviour) {
  const Behaviour none;
  EXPECT_EQ(reply(none, kCall), kReply);
  EXPECT_EQ(DeviantConduct(none).answer(proper_, post(kCall)).bytes,
            proper_conduct().answer(proper_, post(kCall)).bytes);
  EXPECT_EQ(DeviantConduct(none).framing(FramingKind::lines)->encode(kReply),
            std::string(kReply) + "\n");
}

TEST_F(DeviantTest, FramesEachOfSeveralMessages) {
  const Behaviour none;
  const auto framing = DeviantConduct(none).framing(FramingKind::lines);
  EXPECT_EQ(framing->encode(std::string("1") + kNextMessage + "2"), "1\n2\n");
}

TEST_F(DeviantTest, PutsSeveralMessagesIntoOneBody) {
  const Behaviour twice =
      on_reply([](const std::string& text) -> Reply { return text + kNextMessage + text; });
  const DeviantHandler handler(proper_, twice);
  const auto answer = DeviantConduct(twice).answer(handler, post(kCall));
  EXPECT_EQ(http_message_of(answer).body, std::string(kReply) + std::string(kReply));
}

TEST_F(DeviantTest, AnswersElementsOfABatchOneByOne) {
  const Behaviour behaviour =
      on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
        return element.is("id", "2") ? std::nullopt : proper(element.text);
      });
  const std::string other = R"({"jsonrpc":"2.0","method":"subtract","params":[3,2],"id":2})";
  EXPECT_EQ(reply(behaviour, "[" + std::string(kCall) + "," + other + "]"),
            "[" + std::string(kReply) + "]");
  EXPECT_EQ(reply(behaviour, "[" + other + "]"), std::nullopt);
}

TEST_F(DeviantTest, TakesAnArrayWithinABatchForNoBatch) {
  const Behaviour behaviour = on_object([](ObjectText&) {});
  const std::string nested = "[[" + std::string(kCall) + "]]";
  EXPECT_EQ(reply(behaviour, nested), proper_.handle(nested));
}

TEST_F(DeviantTest, LeavesEveryOtherMemberAsItWasSpelled) {
  const Behaviour behaviour = on_response([](ObjectText& response) { response.add("x", "1"); });
  EXPECT_EQ(reply(behaviour, R"({"jsonrpc":"2.0","method":"nothing","id":1.50e300})"),
            R"({"jsonrpc":"2.0","result":null,"id":1.50e300,"x":1})");
}

TEST_F(DeviantTest, WritesInPieces) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
  const Descriptor near(ends[0]);
  const Descriptor far(ends[1]);
  const Behaviour in_threes{.bytes_a_write = 3};
  ASSERT_TRUE(DeviantConduct(in_threes).write(near.number(), "12345"));
  std::array<char, 16> buffer{};
  EXPECT_EQ(read_some(far.number(), buffer), 3U);
  EXPECT_EQ(read_some(far.number(), buffer), 2U);
}

TEST_F(DeviantTest, ReadsOnWhereABehaviourLeavesNothing) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
  const Descriptor near(ends[0]);
  const Descriptor far(ends[1]);
  write_all(near.number(), "lost");
  write_all(near.number(), "kept");
  const Behaviour losing{.arriving = [](std::string_view bytes) {
    return bytes == "lost" ? std::string() : std::string(bytes);
  }};
  const DeviantConduct conduct(losing);
  std::array<char, 16> buffer{};
  ASSERT_EQ(conduct.read(far.number(), buffer), 4U);
  EXPECT_EQ(std::string_view(buffer.data(), 4), "kept");
}

TEST_F(DeviantTest, LetsCatastrophesHappen) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const Behaviour exiting = on_message(
      [](std::string_view) -> std::string { throw Catastrophe{Catastrophe::Manner::exit}; });
  EXPECT_EXIT(reply(exiting, kCall), testing::ExitedWithCode(1), "");
  EXPECT_EXIT(suffer(Catastrophe::Manner::abort), testing::KilledBySignal(SIGABRT), "");
}

/// Lets callers go on when `size` of them have come.
class Meeting {
 public:
  explicit Meeting(int size) : missing_(size) {}

  void attend() {
    std::unique_lock lock(mutex_);
    --missing_;
    all_here_.notify_all();
    all_here_.wait(lock, [this] { return missing_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  int missing_;
};

TEST_F(DeviantTest, CrossesTheIdsOfCallsInFlight) {
  const auto all = faults();
  const Behaviour crossed = find(all, "calls-in-flight-crossed")->behaviour();
  Meeting meeting(2);
  const auto call = [&](int id) {
    const std::string message =
        R"({"jsonrpc":"2.0","method":"nothing","id":)" + std::to_string(id) + "}";
    return *crossed.reply(message, [&](std::string_view text) {
      meeting.attend();
      return proper_.handle(text);
    });
  };
  std::string first;
  std::jthread other([&] { first = call(1); });
  const std::string second = call(2);
  other.join();
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace jrpcheck::reference
