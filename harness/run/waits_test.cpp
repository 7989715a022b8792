// What a run waits for: nothing that does not come. The reference server answers everything, so
// that every wait for it ends by an answer; a wait that runs out is one that each user would pay.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "corpus/corpus_for_testing.hpp"
#include "run/run_for_testing.hpp"
#include "run/runner.hpp"

namespace jrpcheck::run {
namespace waits_test {

std::uint16_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

class Waits : public GuardedTest {
 protected:
  static result::Run run(Options options) {
    const auto& corpus = corpus::corpus_for_testing(corpus::kDefaultProfile);
    NoProgress progress;
    // A machine may be so busy that an answer takes long; it comes all the same.
    options.timeout = std::chrono::seconds(60);
    auto finished = run_corpus(corpus, options, *guardian_, progress);
    EXPECT_EQ(finished.unreached, "");
    return finished;
  }

  static result::Run run_on_stdio(const std::string& binding) {
    Options options;
    options.framing = wire::binding_named(binding);
    options.command = {REFERENCE_PROGRAM, "--stdio", "--framing", binding};
    return run(std::move(options));
  }
};

// Steps that may stay unanswered, and those that were answered but might be once more, end with a
// control call on the same stream. A tail follows each of them, and nothing else.
std::size_t steps_behind_a_control_call(const result::Run& run) {
  std::size_t count = 0;
  for (const auto& one : run.cases) {
    std::set<std::size_t> steps;
    for (const auto& event : one.transcript) {
      const bool is_control =
          event.direction == dialogue::Direction::sent && event.note == "control call";
      if (is_control && event.step) steps.insert(*event.step);
    }
    count += steps.size();
  }
  return count;
}

void expect_no_waits_in_vain(const result::Run& run) {
  EXPECT_GT(run.counts.pass, 200U);
  EXPECT_EQ(run.counts.fail, 0U);
  EXPECT_EQ(run.waits_in_vain, 0U);
}

TEST_F(Waits, NoCaseOverLinesWaitsForWhatDoesNotCome) {
  const auto run = run_on_stdio("lines");
  expect_no_waits_in_vain(run);
  EXPECT_GT(run.tails, 0U);
  EXPECT_LE(run.tails, steps_behind_a_control_call(run));
}

TEST_F(Waits, NoCaseOverContentLengthWaitsForWhatDoesNotCome) {
  const auto run = run_on_stdio("content-length");
  expect_no_waits_in_vain(run);
  EXPECT_LE(run.tails, steps_behind_a_control_call(run));
}

// Over HTTP the response itself says that nothing more comes.
TEST_F(Waits, NoCaseOverHttpWaitsForWhatDoesNotComeNorForATail) {
  const std::string port = std::to_string(free_port());
  Options options;
  options.target = *transport::parse_target("http://127.0.0.1:" + port + "/");
  options.command = {REFERENCE_PROGRAM, "--http", port};
  const auto run = Waits::run(std::move(options));
  expect_no_waits_in_vain(run);
  EXPECT_EQ(run.tails, 0U);
}

}  // namespace waits_test
}  // namespace jrpcheck::run
