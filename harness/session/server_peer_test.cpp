#include "transport/peer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "session/http_fixture_for_testing.hpp"

namespace jrpcheck::session {
namespace server_peer_test {

using testing::answer_each;
using testing::call;
using testing::ScriptedHttpServer;
using testing::step;
using testing::target_of;

Deadline soon() { return Deadline::in(std::chrono::seconds(20)); }

// A port on which nobody listened a moment ago.
std::string free_port() { return std::to_string(ScriptedHttpServer(answer_each).port()); }

// Servers that are started by jrpcheck.
class ServerPeerTest : public testing::HttpTest {
 protected:
  ServerPeerTest() : HttpTest(std::chrono::seconds(20), std::chrono::seconds(20)) {}

  void SetUp() override {
    auto guardian = transport::Guardian::start();
    ASSERT_TRUE(guardian);
    guardian_ = *std::move(guardian);
  }
  void TearDown() override {
    conversation_.reset();
    peer_.reset();
  }

  void command(const std::vector<std::string>& words) {
    peer_ = transport::make_server_peer(target().place(), words, *guardian_);
  }
  transport::Target target() const { return target_of("http://127.0.0.1:" + port_); }
  void program(const std::string& habit) { command({HTTP_PROGRAM_FOR_TESTING, port_, habit}); }
  std::string error_of_start(Deadline deadline = soon()) {
    const auto started = peer_->start(deadline);
    return started ? "it started" : started.error().message;
  }
  std::unique_ptr<Conversation> converse(Patience& patience) {
    return make_http_conversation(peer_, {target(), {}, {}, {"control", ""}}, patience);
  }
  void start_and_converse(const std::string& habit) {
    program(habit);
    ASSERT_EQ(error_of_start(), "it started");
    conversation_ = converse(patience_);
    ASSERT_TRUE(conversation_->open(transcript_));
  }
  bool serves() { return exchange(step({call("9")})).http_status == 200; }

  const std::string port_ = free_port();
  std::unique_ptr<transport::Guardian> guardian_;
};

TEST_F(ServerPeerTest, ProgramIsStartedAndAcceptsConnectionsThen) {
  program("serves");
  EXPECT_EQ(peer_->generation(), 0U);
  EXPECT_EQ(error_of_start(), "it started");
  EXPECT_EQ(peer_->generation(), 1U);
  EXPECT_TRUE(peer_->connect(soon()));
  EXPECT_FALSE(peer_->program()->ended(Deadline::in(microseconds(0))));
}

TEST_F(ServerPeerTest, ProgramIsEndedWithTheServer) {
  start_and_converse("serves");
  conversation_.reset();
  peer_.reset();
  EXPECT_FALSE(transport::connect_tcp(target().address, soon()));
}

TEST_F(ServerPeerTest, ProgramIsNotStartedWhereSomethingAnswersAlready) {
  const ScriptedHttpServer other(answer_each);
  peer_ = transport::make_server_peer(target_of(other.url()).place(), {"node", "server.js"},
                                      *guardian_);
  EXPECT_EQ(error_of_start(), "something answers at 127.0.0.1:" + std::to_string(other.port()) +
                                  " already, and would be judged in place of 'node': end it, or "
                                  "choose another address");
  EXPECT_EQ(peer_->generation(), 0U);
}

TEST_F(ServerPeerTest, ProgramThatEndsBeforeItListensIsAnErrorWithItsOutput) {
  program("fails");
  const std::string error = error_of_start();
  EXPECT_NE(error.find("exited with code 1 before it listened at 127.0.0.1:" + port_),
            std::string::npos);
  EXPECT_NE(error.find("its output:\ncannot open the database\n"), std::string::npos);
}

TEST_F(ServerPeerTest, ProgramThatDoesNotListenInTimeIsAnError) {
  command({"sleep", "1000"});
  const std::string error = error_of_start(Deadline::in(milliseconds(30)));
  EXPECT_EQ(error.find("'sleep' did not listen in "), 0U) << error;
  EXPECT_NE(error.find("(--start-timeout gives it more) at 127.0.0.1:" + port_), std::string::npos)
      << error;
  EXPECT_NE(error.find("\nIf it reads its standard input to the end before it serves: "),
            std::string::npos)
      << error;
}

TEST_F(ServerPeerTest, ProgramThatListensBeforeItShakesHandsIsGivenItsTimeToStart) {
  transport::Place place = target().place();
  microseconds given{0};
  place.dial = [&](Deadline deadline) -> Result<std::unique_ptr<transport::ByteStream>> {
    given = deadline.remaining();
    return Error{"the handshake is not answered"};
  };
  bool is_first = true;
  place.knock = [&](Deadline) -> Result<std::unique_ptr<transport::ByteStream>> {
    const bool is_there = !std::exchange(is_first, false);  // only once it was started
    if (is_there) return std::unique_ptr<transport::ByteStream>();
    return Error{"nobody"};
  };
  peer_ = transport::make_server_peer(std::move(place), {"sleep", "1000"}, *guardian_);
  EXPECT_EQ(error_of_start(Deadline::in(std::chrono::seconds(30))),
            "the handshake is not answered");
  EXPECT_GT(given, std::chrono::seconds(20));
}

TEST_F(ServerPeerTest, ProgramThatIsNotThereIsAnErrorThatNamesIt) {
  command({"jrpcheck-no-such-program"});
  EXPECT_EQ(error_of_start(), "cannot start 'jrpcheck-no-such-program': No such file or directory");
}

TEST_F(ServerPeerTest, ServerOfSomebodyElseThatIsNotThereIsAnErrorWithAdviceAndNoPassword) {
  peer_ = transport::make_server_peer(
      target_of("http://user:sesame@127.0.0.1:" + port_ + "/rpc").place());
  const std::string error = error_of_start();
  EXPECT_NE(error.find("Is the server running at http://user:...@127.0.0.1:" + port_ + "/rpc?"),
            std::string::npos);
  EXPECT_EQ(error.find("sesame"), std::string::npos);
}

TEST_F(ServerPeerTest, ServerOfSomebodyElseThatComesBackIsANewGeneration) {
  const ScriptedHttpServer other(answer_each);
  peer_ = transport::make_server_peer(target_of(other.url()).place());
  EXPECT_EQ(error_of_start(), "it started");
  const auto generation = peer_->generation();
  EXPECT_TRUE(peer_->revive(generation, soon()));
  EXPECT_EQ(peer_->generation(), generation + 1);
  EXPECT_EQ(peer_->program(), nullptr);
}

TEST_F(ServerPeerTest, RecoveryOfAGenerationThatIsGoneDoesNothing) {
  start_and_converse("serves");
  EXPECT_TRUE(peer_->revive(0, soon()));
  EXPECT_EQ(peer_->generation(), 1U);
}

TEST_F(ServerPeerTest, ProgramThatDiesIsDeadWithItsLastWordsAndStartedAgain) {
  start_and_converse("serves");
  const dialogue::Exchange got = exchange(step({"die"}));
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::dead);
  EXPECT_EQ(survival.detail, "the program exited with code 3");
  EXPECT_EQ(survival.standard_error, "cannot digest this\n");
  EXPECT_EQ(conversation_->server_generation(), 2U);
  EXPECT_TRUE(conversation_->usable());
  EXPECT_TRUE(serves());
}

TEST_F(ServerPeerTest, ProgramThatAcceptsBeforeItServesIsGivenTimeToLoad) {
  start_and_converse("loads");
  exchange(step({"die"}));
  EXPECT_EQ(check().survival, dialogue::Survival::dead);
  EXPECT_TRUE(conversation_->usable());
  EXPECT_TRUE(serves());
}

TEST_F(ServerPeerTest, ProgramThatIsWedgedIsStartedAgain) {
  start_and_converse("serves");
  Patience short_patience(milliseconds(100));
  short_patience.note_first_answer();
  conversation_ = converse(short_patience);
  ASSERT_TRUE(conversation_->open(transcript_));
  EXPECT_EQ(exchange(step({"wedge"})).ending, dialogue::Ending::timed_out);
  EXPECT_EQ(check().survival, dialogue::Survival::wedged);
  EXPECT_EQ(conversation_->server_generation(), 2U);
  EXPECT_TRUE(conversation_->usable());
  conversation_.reset();
}

TEST_F(ServerPeerTest, ProgramThatKeepsEverybodyOutUntilItIsStartedAnewIsWedged) {
  start_and_converse("serves");
  EXPECT_TRUE(serves());
  exchange(step({"bar"}));
  const dialogue::SurvivalCheck survival = check();
  EXPECT_EQ(survival.survival, dialogue::Survival::wedged);
  EXPECT_TRUE(survival.keeps_out);
  EXPECT_EQ(conversation_->server_generation(), 2U);
  EXPECT_TRUE(conversation_->usable());
  EXPECT_TRUE(serves());
}

TEST_F(ServerPeerTest, ProgramThatKeepsEverybodyOutWhenStartedAnewTooIsAliveAndStartedNoMore) {
  const auto lock = std::filesystem::path(::testing::TempDir()) / ("jrpcheck-lock-" + port_);
  start_and_converse("keeps-out:" + lock.string());
  EXPECT_TRUE(serves());
  exchange(step({"lock"}));
  for (int i = 0; i < 2; ++i) {
    const dialogue::SurvivalCheck survival = check();
    EXPECT_EQ(survival.survival, dialogue::Survival::alive) << survival.detail;
    EXPECT_TRUE(survival.keeps_out);
    EXPECT_EQ(conversation_->server_generation(), 2U);
    EXPECT_TRUE(exchange(step({call("7")})).limited);
  }
  std::filesystem::remove(lock);
}

// Each worker kills the server now and then, and finds it dead at the hands of the others.
TEST_F(ServerPeerTest, SeveralConversationsShareAServerThatDiesAndAllAreServedInTheEnd) {
  start_and_converse("serves");
  constexpr int kWorkers = 4;
  constexpr int kRounds = 6;
  std::vector<std::unique_ptr<Conversation>> conversations;
  for (int worker = 0; worker < kWorkers; ++worker) {
    conversations.push_back(converse(patience_));
    ASSERT_TRUE(conversations.back()->open(transcript_));
  }
  const auto work = [&](int worker) {
    auto& conversation = conversations[static_cast<std::size_t>(worker)];
    dialogue::Transcript transcript;
    for (int round = 0; round < kRounds; ++round) {
      const bool deadly = round == worker;
      const dialogue::Exchange got =
          conversation->exchange(step({deadly ? std::string("die") : call("7")}), transcript);
      if (got.ending != dialogue::Ending::settled) conversation->check_survival(transcript);
    }
  };
  {
    std::vector<std::jthread> workers;
    workers.reserve(kWorkers);
    for (int worker = 0; worker < kWorkers; ++worker) workers.emplace_back(work, worker);
  }
  for (const auto& conversation : conversations) EXPECT_TRUE(conversation->usable());
  // No more often than it was killed: nobody starts again what another has brought back already. A
  // worker may kill it twice, because a connection that is closed without a response may have been
  // an idle one, and the message is sent once more.
  EXPECT_LE(peer_->generation(), 1U + 2 * kWorkers);
  EXPECT_TRUE(serves());
}

}  // namespace server_peer_test
}  // namespace jrpcheck::session
