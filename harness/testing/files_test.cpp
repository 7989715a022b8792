// Files that strangers have written: what is wrong with them is told, in time, and in plain text.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "testing/judgement_for_testing.hpp"
#include "testing/program_for_testing.hpp"

namespace jrpcheck::testing {
namespace files_test {

// Processor time, so that a busy machine makes no difference. Quadratic readers took minutes.
constexpr const char* kSecondsOfProcessor = "20";

ProgramResult in_time(const Words& words, const std::string& limits = {}) {
  return run_program(Words{"/bin/sh", "-c",
                           limits + "ulimit -t " + kSecondsOfProcessor + "; exec \"$@\"", "sh",
                           jrpcheck_program()} +
                     words);
}

TEST(FilesOfStrangers, AFolderInPlaceOfOneIsAnErrorOfUsage) {
  const TemporaryFolder folder;
  const Words server = {"--", reference_program(), "--stdio"};
  for (const Words& words :
       {Words{"report", "tap=-", folder.path()}, Words{"judge", folder.path()},
        Words{"run", "--baseline", folder.path()} + server,
        Words{"run", "--methods", folder.path()} + server,
        Words{"run", "--opening", folder.path()} + server, Words{"replay", folder.path()} + server,
        Words{"promote", folder.path()}}) {
    const auto result = run_program(Words{jrpcheck_program()} + words);
    EXPECT_EQ(result.exit_code, 2) << words[0] << ": " << result.error;
    EXPECT_TRUE(contains(result.error, "cannot be read: Is a directory")) << result.error;
  }
}

TEST(FilesOfStrangers, AFindingInPlaceOfARunAndTheOtherWayRoundAreCalledThat) {
  const TemporaryFolder folder;
  const std::string finding = folder.file("finding.json");
  const std::string run = folder.file("run.json");
  write_file(finding, R"({"format": "jrpcheck-finding-1"})");
  write_file(run, R"({"schema": "jrpcheck-run-1"})");
  for (const Words& words : {Words{"judge", finding}, Words{"report", "tap=-", finding}}) {
    const auto result = run_program(Words{jrpcheck_program()} + words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(
        contains(result.error, "is a finding of jrpcheck fuzz, and no run: jrpcheck replay"))
        << result.error;
  }
  const Words server = {"--", reference_program(), "--stdio"};
  for (const Words& words : {Words{"promote", run}, Words{"replay", run} + server}) {
    const auto result = run_program(Words{jrpcheck_program()} + words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(contains(result.error, "is a run, and no finding: jrpcheck judge")) << result.error;
  }
}

TEST(FilesOfStrangers, AFileWithoutEndIsAnErrorOfUsage) {
  const auto result = in_time({"promote", "/dev/zero"});
  EXPECT_EQ(result.exit_code, 2) << result.error;
  EXPECT_TRUE(contains(result.error, "larger than 256 MiB")) << result.error;
}

TEST(FilesOfStrangers, ManyWrongCasesAreToldInLinearTime) {
  const TemporaryFolder folder;
  std::string text = "{\"cases\": [{}";
  for (int i = 0; i < 20'000; ++i) text += ",\n{\"id\": \"a/b\", \"title\": \"x\"}";
  write_file(folder.file("cases.json"), text + "]}");
  const auto result = in_time({"lint", folder.file("cases.json")});
  EXPECT_EQ(result.exit_code, 2) << result.error;
  EXPECT_TRUE(contains(result.error, "20001 problems")) << result.error;
}

TEST(FilesOfStrangers, ABaselineOfManyCasesIsReadInLinearTime) {
  const TemporaryFolder folder;
  std::string text = "{\"schema\": \"jrpcheck-baseline-2\", \"cases\": {\"batch/empty\": {}";
  for (int i = 0; i < 20'000; ++i) text += ",\n\"a/b" + std::to_string(i) + "\": {}";
  write_file(folder.file("known.json"), text + "}}");
  const auto result = in_time(
      {"run", "--baseline", folder.file("known.json"), "--", reference_program(), "--stdio"});
  EXPECT_EQ(result.exit_code, 2) << result.error;
  EXPECT_TRUE(contains(result.error, "known.json:2:")) << result.error;
}

TEST(FilesOfStrangers, AFewWordsDoNotAskForGigabytes) {
  const TemporaryFolder folder;
  std::string parts;
  for (int i = 0; i < 40; ++i) {
    parts += std::string(i == 0 ? "" : ",") + R"({"repeat": "x", "times": 60000000})";
  }
  write_file(folder.file("cases.json"),
             R"({"cases": [{"id": "a/b", "title": "x", "requirements": ["json-parse"], "steps":)"
             R"( [{"send": {"parts": [)" +
                 parts + R"(]}, "accept": [{}]}]}]})");
  const auto result = run_program({"/bin/sh", "-c", "ulimit -v 1000000; exec \"$@\"", "sh",
                                   jrpcheck_program(), "lint", folder.file("cases.json")});
  EXPECT_EQ(result.exit_code, 2) << result.error;
  EXPECT_TRUE(contains(result.output, "more than 128 MiB")) << result.output;
}

// What a recording is judged in: 256 MiB beside the program, whatever it holds.
ProgramResult judge_in_bounds(const std::string& file, const Words& options = {}) {
  return in_time(Words{"judge"} + options + Words{file}, "ulimit -v 300000; ");
}

constexpr const char* kEntry =
    R"({"startedDateTime":"2026-01-01T00:00:00.000Z","time":3.5,"request":{"method":"POST",)"
    R"("url":"http://a/rpc","headers":[{"name":"Content-Type","value":"application/json"}],)"
    R"("postData":{"text":"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}"}},"response":{"status":200,)"
    R"("headers":[{"name":"Content-Type","value":"application/json"}],"content":{"text":)"
    R"("{\"jsonrpc\":\"2.0\",\"result\":7,\"id\":1}"}}})";

std::string repeated(const std::string& text, std::size_t times) {
  std::string whole;
  whole.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) whole += text;
  return whole;
}

TEST(FilesOfStrangers, ARecordingIsJudgedInBoundsWhateverItHolds) {
  const TemporaryFolder folder;
  const std::string call = R"({"t":0,"dir":"client","text":"{\"jsonrpc\":\"2.0\",\"method\":\"a\",)"
                           R"(\"id\":1}"})"
                           "\n";
  const std::string answer =
      R"({"t":0,"dir":"server","text":"{\"jsonrpc\":\"2.0\",\"result\":7,\"id\":1}"})"
      "\n";
  const std::string entry = kEntry;
  constexpr std::size_t kMany = 9'000'000;
  std::vector<std::pair<std::string, std::string>> recordings = {
      {"values of an entry",
       R"({"log":{"entries":[{"x":[)" + repeated("1,", kMany) + "1]}," + entry + "]}}"},
      {"values beside the entries",
       R"({"log":{"pages":[)" + repeated("1,", kMany) + R"(1],"entries":[)" + entry + "]}}"},
      {"entries", R"({"log":{"entries":[)" + repeated(entry + ",", 70'000) + entry + "]}}"},
      {"a long string",
       R"({"log":{"entries":[)" + entry + R"(,{"x":")" + repeated("\\n", 30'000'000) + "\"}]}}"},
      {"lines", repeated(call + answer, 30'000)},
      {"long lines before the first that is known",
       repeated(repeated("x", 15'000'000) + "\n", 2) + call + answer +
           R"({"t":0,"dir":"server","text":")" + repeated("\\n", 16'000'000) + "\"}\n"},
  };
  std::string unanswered;
  for (int i = 0; i < 45; ++i) {
    unanswered +=
        R"({"t":0,"dir":"client","text":"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":\")" +
        std::to_string(i) + std::string(2'000'000, 'x') + "\\\"}\"}\n";
  }
  recordings.emplace_back("ids of calls that are not answered", unanswered);
  std::string strays = R"({"t":0,"dir":"client","text":"{\"jsonrpc\":\"2.0\",\"method\":\"n\"}"})"
                       "\n";
  for (int i = 0; i < 9000; ++i) {
    strays += R"({"t":0,"dir":"client","text":"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":)" +
              std::to_string(i) + "}\"}\n";
  }
  strays += repeated(R"({"t":0,"dir":"server","text":"{\"jsonrpc\":\"2.0\",\"id\":null,)"
                     R"(\"error\":{\"code\":1,\"message\":\"\"}}"})"
                     "\n",
                     2000);
  recordings.emplace_back("answers of which nobody knows what they answer", strays);
  for (const auto& [what, text] : recordings) {
    const std::string file = folder.file("recording");
    write_file(file, text);
    const auto result = judge_in_bounds(file);
    EXPECT_LE(result.exit_code, 1) << what << ": " << result.error;
  }
}

// A line of a recording; a quotation mark in the message is written as '.
std::string said(std::size_t connection, const std::string& side, const std::string& message) {
  std::string line = R"({"t":0,"dir":")" + side + R"(","connection":)" +
                     std::to_string(connection) + R"(,"text":")";
  for (const char each : message) line += each == '\'' ? std::string("\\\"") : std::string(1, each);
  return line + "\"}\n";
}

TEST(FilesOfStrangers, SessionsInARecordingAreJudgedInBoundsWhateverTheyHold) {
  const TemporaryFolder folder;
  const auto initialize = [](int id, const std::string& experimental) {
    return "{'jsonrpc':'2.0','id':" + std::to_string(id) +
           ",'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{"
           "'experimental':{" +
           experimental + "}},'clientInfo':{'name':'a','version':'1'}}}";
  };
  std::string capabilities;
  for (std::size_t i = 1; i <= 100; ++i) {
    const std::string values = "'a':{'b':[" + repeated("0,", 70'000) + "0]}";
    capabilities += said(i, "client", initialize(1, values));
  }
  std::string names;
  for (int i = 0; i < 100; ++i) {
    const std::string name = std::to_string(i) + std::string(500'000, 'x');
    names += said(1, "client", initialize(i, "'" + name + "':1"));
  }
  std::string annotations = "'a':{'type':'string','x-mcp-header':'A'}";
  for (int i = 0; i < 3000; ++i) {
    const auto name = std::to_string(i);
    annotations.append(",'a").append(name).append("':{'type':'string','x-mcp-header':'A");
    annotations.append(name).append("'}");
  }
  const std::string deeper = "'" + std::string(20'000, 'x') + "':{'properties':{";
  annotations = repeated(deeper, 18) + annotations + repeated("}}", 18);
  const std::string tools =
      said(1, "client",
           "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
           "'io.modelcontextprotocol/protocolVersion':'2026-07-28'}}}") +
      said(1, "server",
           "{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete','tools':[{'name':'t',"
           "'inputSchema':{'properties':{" +
               annotations + "}}}]}}");
  const std::vector<std::pair<std::string, std::string>> recordings = {
      {"capabilities", capabilities}, {"names", names}, {"arguments in heads", tools}};
  for (const auto& [what, text] : recordings) {
    const std::string file = folder.file("recording");
    write_file(file, text);
    const auto result = judge_in_bounds(file, {"--profile", "mcp"});
    EXPECT_LE(result.exit_code, 1) << what << ": " << result.error;
  }
}

// Makes the file longer by so many bytes of value 0, which take no room on the disk.
void append_zeros(const std::string& file, std::uintmax_t count) {
  std::filesystem::resize_file(file, std::filesystem::file_size(file) + count);
}

TEST(FilesOfStrangers, ARecordingThatIsTooLargeIsToldSoInBounds) {
  const TemporaryFolder folder;
  constexpr std::uintmax_t kMiB = 1U << 20;
  const std::string large = folder.file("large.har");
  write_file(large, "{");
  append_zeros(large, 128 * kMiB);
  const auto result = judge_in_bounds(large);
  EXPECT_EQ(result.exit_code, 2) << result.error;
  EXPECT_TRUE(contains(result.error, "large.har: is larger than 128 MiB")) << result.error;
}

TEST(FilesOfStrangers, LongLinesOfNoRecordingAreNotHeld) {
  const TemporaryFolder folder;
  constexpr std::uintmax_t kLongLine = 20U << 20;
  const std::string lines = folder.file("lines");
  write_file(lines, "x");
  for (int i = 0; i < 20; ++i) {
    append_zeros(lines, kLongLine);
    std::ofstream(lines, std::ios::app) << "\n";
  }
  const auto result = judge_in_bounds(lines);
  EXPECT_EQ(result.exit_code, 2) << result.error;
  EXPECT_TRUE(contains(result.error, "nor a capture that is known")) << result.error;
}

TEST(FilesOfStrangers, NamesAndMessagesAreShownWithoutControlCharacters) {
  const std::string name = "/nowhere/\x1b]0;title\x07\xE2\x80\xAE.json";
  for (const Words& words : {Words{"lint", name}, Words{"judge", name}, Words{"promote", name}}) {
    const auto result = run_program(Words{jrpcheck_program()} + words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_FALSE(contains(result.error, "\x1b")) << words[0];
    EXPECT_FALSE(contains(result.error, "\xE2\x80\xAE")) << words[0];
    EXPECT_TRUE(contains(result.error, "\\x1b]0;title")) << result.error;
  }
}

TEST(WordsOfADyingServer, AreNoCommandsToTheLogOfAJob) {
  const auto result =
      run_program({jrpcheck_program(), "run", "--", "/bin/sh", "-c",
                   "printf '::error::evil\\n  ::stop-commands::x\\n##[error]evil\\n' >&2; exit 1"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.error, "\\::error::evil")) << result.error;
  EXPECT_FALSE(contains(result.error, "\n::")) << result.error;
  EXPECT_FALSE(contains(result.error, "##[")) << result.error;
}

TEST(TemporaryFiles, WithoutAFolderAreAnErrorOfUsage) {
  const auto result = run_program(
      {jrpcheck_program(), "fuzz", "--max-time", "2", "--", reference_program(), "--stdio"},
      {"TMPDIR=/nowhere/at/all"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_FALSE(contains(result.error, "cannot go on")) << result.error;
}

}  // namespace files_test
}  // namespace jrpcheck::testing
