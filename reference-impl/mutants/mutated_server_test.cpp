#include "reference-impl/mutants/mutated_server.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <string>
#include <thread>

#include "reference-impl/descriptor.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {
namespace mutated_server_test {

constexpr std::string_view kCall = R"({"jsonrpc":"2.0","method":"subtract","params":[3,2],"id":1})";
constexpr std::string_view kReply = R"({"jsonrpc":"2.0","result":1,"id":1})";

wire::HttpMessage post(std::string_view body) {
  wire::HttpReader reader(wire::HttpReader::Role::server);
  reader.feed(wire::http_request(
      "POST", "/", {{"Host", "a"}, {"Content-Length", std::to_string(body.size())}}, body));
  return *reader.next();
}

class MutatedServerTest : public ::testing::Test {
 protected:
  /// The reply to `message` of the server that behaves like this.
  Reply reply(const Behaviour& behaviour, std::string_view message) const {
    return mutated_reply(behaviour, proper_, message);
  }

  const Dispatcher proper_ = make_reference_dispatcher();
};

TEST_F(MutatedServerTest, IsTheProperServerWithoutABehaviour) {
  const Behaviour none;
  EXPECT_EQ(reply(none, kCall), std::string(kReply));
  EXPECT_EQ(hooks_of(none).http.answer(proper_, post(kCall)).bytes,
            proper_http_answer(proper_, post(kCall)).bytes);
  EXPECT_EQ(hooks_of(none).stream.framing(wire::make_lines)->encode(kReply),
            std::string(kReply) + "\n");
}

Behaviour answering_twice() {
  return on_reply([](const std::string& text) { return Reply::several({text, text}); });
}

TEST_F(MutatedServerTest, SendsSeveralMessagesOnAStream) {
  const Behaviour twice = answering_twice();
  const std::vector<std::string> both = {std::string(kReply), std::string(kReply)};
  EXPECT_EQ(hooks_of(twice).stream.replies(proper_, kCall), both);
}

TEST_F(MutatedServerTest, PutsSeveralMessagesIntoOneBody) {
  const Behaviour twice = answering_twice();
  const auto answer = hooks_of(twice).http.answer(proper_, post(kCall));
  EXPECT_EQ(http_message_of(answer).body, std::string(kReply) + std::string(kReply));
}

TEST_F(MutatedServerTest, AnswersElementsOfABatchOneByOne) {
  const Behaviour behaviour =
      on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
        return element.is("id", "2") ? std::nullopt : proper(element.text);
      });
  const std::string other = R"({"jsonrpc":"2.0","method":"subtract","params":[3,2],"id":2})";
  EXPECT_EQ(reply(behaviour, "[" + std::string(kCall) + "," + other + "]"),
            "[" + std::string(kReply) + "]");
  EXPECT_EQ(reply(behaviour, "[" + other + "]"), std::nullopt);
}

TEST_F(MutatedServerTest, TakesAnArrayWithinABatchForNoBatch) {
  const Behaviour behaviour = on_object([](ObjectText&) {});
  const std::string nested = "[[" + std::string(kCall) + "]]";
  EXPECT_EQ(reply(behaviour, nested), proper_.handle(nested));
}

TEST_F(MutatedServerTest, LeavesEveryOtherMemberAsItWasSpelled) {
  const Behaviour behaviour = response(add("x", "1"));
  EXPECT_EQ(reply(behaviour, R"({"jsonrpc":"2.0","method":"nothing","id":1.50e300})"),
            R"({"jsonrpc":"2.0","result":null,"id":1.50e300,"x":1})");
}

TEST_F(MutatedServerTest, WritesInPieces) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
  const Descriptor near(ends[0]);
  const Descriptor far(ends[1]);
  const Behaviour in_threes = in_pieces_of(3);
  ASSERT_TRUE(hooks_of(in_threes).bytes.write(near.number(), "12345"));
  std::array<char, 16> buffer{};
  EXPECT_EQ(read_some(far.number(), buffer), 3U);
  EXPECT_EQ(read_some(far.number(), buffer), 2U);
}

TEST_F(MutatedServerTest, ReadsOnWhereABehaviourLeavesNothing) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
  const Descriptor near(ends[0]);
  const Descriptor far(ends[1]);
  write_all(near.number(), "lost");
  write_all(near.number(), "kept");
  const Behaviour losing{.arriving = [](std::string_view bytes) {
    return bytes == "lost" ? std::string() : std::string(bytes);
  }};
  const TransportHooks hooks = hooks_of(losing);
  std::array<char, 16> buffer{};
  ASSERT_EQ(hooks.bytes.read(far.number(), buffer), 4U);
  EXPECT_EQ(std::string_view(buffer.data(), 4), "kept");
}

TEST_F(MutatedServerTest, ResumesNothingWhereNoStreamHasBeen) {
  const auto behaviour = find_fault("sse-resumes-another-stream")->behaviour();
  EXPECT_TRUE(behaviour.events.resumed({}, 5, 1).empty());
}

TEST_F(MutatedServerTest, LetsCatastrophesHappen) {
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

TEST_F(MutatedServerTest, CrossesTheIdsOfCallsInFlight) {
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

}  // namespace mutated_server_test
}  // namespace jrpcheck::reference
