#include "run/find_version.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "corpus/corpus.hpp"
#include "run/recognise_protocol.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::run {
namespace {

class FoundVersion : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { transport::ignore_broken_pipes(); }

  // Of a program that does this for each line, with its id in $id; "$starts" is a file with a line
  // for each program that was started.
  struct Found {
    std::string version;
    std::size_t starts = 0;
    std::string refusal = {};
    std::string note = {};
  };
  static Options options_of(const std::string& body, const std::string& starts) {
    Options options;
    options.command = {
        "sh", "-c",
        "echo >>" + starts +
            "; while IFS= read -r line; do id=${line##*'\"id\":'}; id=${id%%[,\\}]*}; " + body +
            "; done"};
    options.timeout = milliseconds(1000);
    return options;
  }
  static Found of(const std::string& body, const std::string& protocol = "mcp") {
    const auto guardian = transport::Guardian::start();
    if (!guardian) return {guardian.error().message};
    const std::string starts = testing::TempDir() + "jrpcheck-starts-" + std::to_string(::getpid());
    std::remove(starts.c_str());
    const auto profiles = corpus::embedded_profiles();
    const auto profile = std::find_if(profiles.begin(), profiles.end(),
                                      [&](const auto& each) { return each.name == protocol; });
    Options options = options_of(body, starts);
    options.framing = wire::binding_named("lines");
    const auto found = find_version(*profile, options, **guardian);
    std::ifstream lines(starts);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) ++count;
    std::remove(starts.c_str());
    if (!found) return {found.error().message, count};
    return {found->version, count, found->refusal, found->note};
  }

  static std::string answer(const std::string& member) {
    return "printf '{\"jsonrpc\":\"2.0\",\"id\":%s," + member + "}\\n' \"$id\"";
  }
  static std::string offer(const std::string& version) {
    return answer(R"("result":{"protocolVersion":")" + version + R"(","capabilities":{}})");
  }
  static std::string june() { return offer("2025-06-18"); }
  static std::string refusal() { return answer(R"("error":{"code":-32601,"message":"no"})"); }
  static std::string refused_version() {
    return answer(R"("error":{"code":-32602,"message":"Unsupported protocol version"})");
  }
};

TEST_F(FoundVersion, TakesOneProgramWhereOneProbeIsRefusedAndTheNextServed) {
  const auto found =
      of("case $line in *'\"initialize\"'*) " + june() + ";; *) " + refusal() + ";; esac");
  EXPECT_EQ(found.version, "2025-06-18");
  EXPECT_EQ(found.starts, 1U);
}

TEST_F(FoundVersion, IsFoundOfAServerThatIsSilentBeforeInitialize) {
  const auto found = of("case $line in *'\"initialize\"'*) " + june() + ";; esac");
  EXPECT_EQ(found.version, "2025-06-18");
}

TEST_F(FoundVersion, IsFoundOfAServerThatEndsWhereInitializeIsNotFirst) {
  const auto found = of("case $line in *'\"initialize\"'*) " + june() + ";; *) exit 1;; esac");
  EXPECT_EQ(found.version, "2025-06-18");
  EXPECT_EQ(found.starts, 2U);
}

TEST_F(FoundVersion, IsFoundOfAServerThatServesNothingBehindWhatItRefused) {
  const auto found = of("case $line in *'\"initialize\"'*) [ \"$late\" ] && { " + refusal() +
                        "; continue; }; " + june() + ";; *) late=1; " + refusal() + ";; esac");
  EXPECT_EQ(found.version, "2025-06-18");
  EXPECT_EQ(found.starts, 2U);
}

TEST_F(FoundVersion, IsTheNewestThoughAnOlderOneIsOffered) {
  for (const char* oldest : {"2025-03-26", "2024-11-05"}) {
    const auto found =
        of("case $line in *'\"2025-06-18\"'*) " + june() + ";; *'\"initialize\"'*) " +
           offer(oldest) + ";; *) " + refusal() + ";; esac");
    EXPECT_EQ(found.version, "2025-06-18") << oldest;
    EXPECT_EQ(found.starts, 2U) << oldest;
  }
}

TEST_F(FoundVersion, IsTheOldestWhereNothingElseIsAgreedTo) {
  const auto found = of("case $line in *'\"initialize\"'*) " + offer("2025-03-26") + ";; *) " +
                        refusal() + ";; esac");
  EXPECT_EQ(found.version, "2025-03-26");
  EXPECT_EQ(found.starts, 2U);
}

TEST_F(FoundVersion, IsAnOlderOneOfAServerThatRefusesOthersAndOffersNone) {
  const auto found =
      of("case $line in *'\"2025-03-26\"'*) " + offer("2025-03-26") + ";; *'\"initialize\"'*) " +
         refused_version() + ";; *) " + refusal() + ";; esac");
  EXPECT_EQ(found.version, "2025-03-26");
  EXPECT_NE(found.note.find("offers none"), std::string::npos) << found.note;
}

TEST_F(FoundVersion, IsNoneOfAServerThatRefusesTheHandshakeInEach) {
  const auto found = of("case $line in *'\"initialize\"'*) " + refused_version() + ";; *) " +
                        refusal() + ";; esac");
  EXPECT_EQ(found.version, "");
  EXPECT_NE(found.refusal.find("Unsupported protocol version"), std::string::npos) << found.refusal;
}

// It may be of 2026-07-28, which has no handshake.
TEST_F(FoundVersion, IsNotRefusedWhereThereIsNoHandshake) {
  EXPECT_EQ(of(refusal()).refusal, "");
  const auto found = of("case $line in *'\"server/discover\"'*) " + answer(R"("result":{})") +
                        ";; *) " + refused_version() + ";; esac");
  EXPECT_EQ(found.version, "");
  EXPECT_EQ(found.refusal, "");
}

TEST_F(FoundVersion, IsToldWhereItIsAnOlderOneThanIsKnown) {
  const auto found =
      of("case $line in *'\"2025-03-26\"'*) " + offer("2024-11-05") + ";; *'\"initialize\"'*) " +
         refused_version() + ";; *) " + refusal() + ";; esac");
  EXPECT_EQ(found.version, "");
  EXPECT_NE(found.note.find("does not know: 2024-11-05"), std::string::npos) << found.note;
}

// The newest version of all has no handshake: by that it would be judged wrongly.
TEST_F(FoundVersion, IsThatOfItsHandshakeWhereThatNamesNone) {
  const auto taking = [](const std::string& handshake) {
    return of("case $line in *'\"initialize\"'*) " + handshake + ";; *) " + refusal() + ";; esac");
  };
  for (const char* member : {R"("result":"ok")", R"("result":null)", R"("result":{})",
                             R"("result":{"protocolVersion":7})", R"("data":{})"}) {
    const auto found = taking(answer(member));
    EXPECT_EQ(found.version, "2025-11-25") << member;
    EXPECT_NE(found.note.find("names no version"), std::string::npos) << found.note;
  }
  EXPECT_EQ(taking(":").version, "2025-11-25") << "it is left out, and other calls are answered";
  EXPECT_EQ(taking(refusal()).version, "") << "there is none";
}

// rpcwhitelist keeps a user from what a node is recognised by.
TEST_F(FoundVersion, IsToldByWhatTheUserOfANodeMayCall) {
  const auto limited = [](const std::string& count) {
    return "case $line in *'\"getblockcount\"'*) " + count + ";; *) " + refusal() + ";; esac";
  };
  EXPECT_EQ(of(limited(answer(R"("result":5)")), "bitcoin").version, "2.0");
  const std::string old = R"(printf '{"result":5,"error":null,"id":%s}\n' "$id")";
  EXPECT_EQ(of(limited(old), "bitcoin").version, "1.1");
}

TEST_F(FoundVersion, IsThatOfAServerThatIsRecognisedThoughItNeedsItsHandshakeFirst) {
  const auto guardian = transport::Guardian::start();
  ASSERT_TRUE(guardian);
  const std::string serve = "case $line in *'\"initialize\"'*) served=1; " + june() +
                            ";; *) [ ! \"$served\" ] || " + refusal() + ";; esac";
  const std::string end = "case $line in *'\"initialize\"'*) served=1; " + june() +
                          ";; *) [ \"$served\" ] || exit 1; " + refusal() + ";; esac";
  for (const auto& body : {serve, end}) {
    const auto recognised = recognise_protocol(options_of(body, "/dev/null"), **guardian);
    EXPECT_EQ(recognised.unreached, "");
    EXPECT_EQ(recognised.profile, "mcp-2025-06-18") << body;
  }
}

}  // namespace
}  // namespace jrpcheck::run
