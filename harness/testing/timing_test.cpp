// Servers whose answers and ends come when nobody waits for them any more.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "testing/judgement_for_testing.hpp"
#include "testing/program_for_testing.hpp"

namespace jrpcheck::testing {
namespace timing_test {

// A right server with one method, `echo`; what it does late it does in `late`.
constexpr std::string_view kServer = R"python(
import json, os, sys, threading
lock = threading.Lock()
def say(message):
    with lock:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()
def refuse(code, id=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": "no"}, "id": id}
def answer(call):
    if not isinstance(call, dict) or isinstance(call.get("id"), (dict, list, bool)):
        return refuse(-32600)
    if call.get("jsonrpc") != "2.0" or not isinstance(call.get("method"), str):
        return refuse(-32600)
    if "params" in call and not isinstance(call["params"], (dict, list)):
        return refuse(-32600)
    if call.get("id") == float("inf"):
        return refuse(-32600)
    if "id" not in call:
        return None
    if call["method"] == "echo":
        return {"jsonrpc": "2.0", "result": call.get("params", []), "id": call["id"]}
    return refuse(-32601, call["id"])
for line in sys.stdin:
    try:
        asked = json.loads(line)
    except ValueError:
        asked = None
    if asked is None:
        said = refuse(-32700)
    elif isinstance(asked, list) and asked:
        said = [each for each in map(answer, asked) if each] or None
    else:
        said = answer(asked)
    late(asked, said)
)python";

std::string server_with(std::string_view late) { return std::string(late) + std::string(kServer); }

struct Judged {
  int exit_code;
  Judgement judgement;
};

Judged judge(const std::string& server, const Words& cases) {
  const TemporaryFolder folder;
  write_file(folder.file("server.py"), server);
  Words words = {jrpcheck_program(), "run", "--report", "json=" + folder.file("run.json")};
  for (const auto& each : cases) words.insert(words.end(), {"--select", each});
  words.insert(words.end(), {"--", "python3", folder.file("server.py")});
  const auto result = run_program(words);
  return {result.exit_code, read_report(read_file(folder.file("run.json")))};
}

TEST(Timing, RefusalsThatComeLateAreChargedToNobody) {
  const auto judged = judge(server_with(R"python(
def late(asked, said):
    if isinstance(said, dict) and said["id"] is None:
        threading.Timer(0.02, say, [said]).start()
    elif said:
        say(said)
)python"),
                            {"request/*"});
  EXPECT_EQ(judged.exit_code, 0);
  EXPECT_EQ(judged.judgement.counts.at("fail"), 0);
  EXPECT_GT(judged.judgement.counts.at("pass"), 20);
}

TEST(Timing, ErrorsThatComeLateAreChargedToNobodyWhereCasesShareIds) {
  const auto judged = judge(server_with(R"python(
def late(asked, said):
    if isinstance(said, dict) and "error" in said and said["error"]["code"] != -32601:
        threading.Timer(0.05, say, [said]).start()
    elif said:
        say(said)
)python"),
                            {"id/*", "request/*", "error/unknown-method"});
  EXPECT_EQ(judged.exit_code, 0);
  EXPECT_EQ(judged.judgement.counts.at("fail"), 0);
}

TEST(Timing, AServerThatEndsBehindAnAnswerIsChargedAndStartedAgain) {
  const auto judged = judge(server_with(R"python(
def late(asked, said):
    if isinstance(asked, dict) and "jsonrpc" not in asked:
        threading.Timer(0.002, os._exit, [1]).start()
    if said:
        say(said)
)python"),
                            {"request/*"});
  EXPECT_EQ(judged.exit_code, 1);
  EXPECT_GT(judged.judgement.counts.at("pass"), 20);
}

TEST(Timing, ElementsOfABatchThatAreAnsweredOneByOneAreChargedAsThat) {
  const auto judged = judge(server_with(R"python(
import time
def late(asked, said):
    for each in said if isinstance(said, list) else [said]:
        if each:
            say(each)
            time.sleep(0.001)
)python"),
                            {"calibration/batch", "batch/*", "robust/batch-of-a-thousand"});
  EXPECT_EQ(judged.exit_code, 1);
  for (const auto& one : judged.judgement.cases) {
    for (const auto& finding : one.findings) {
      EXPECT_TRUE(finding.requirement == "bat-array" || finding.requirement == "bat-one")
          << one.id << ": " << finding.requirement << ", " << finding.message;
    }
  }
}

TEST(Timing, IdsThatAreLostInErrorsAloneLeaveTheRestToBeJudged) {
  const auto judged = judge(server_with(R"python(
import time
time.sleep(0.3)
def late(asked, said):
    if isinstance(said, dict) and "error" in said:
        said["id"] = None
    if said:
        say(said)
)python"),
                            {"calibration/*", "batch/*", "id/*", "params/*"});
  EXPECT_EQ(judged.exit_code, 1);
  EXPECT_GT(judged.judgement.counts.at("pass"), 30);
  EXPECT_EQ(judged.judgement.requirements.at("fail"), std::set<std::string>{"id-echo"});
}

TEST(Timing, AProgramThatEndsNoLineIsReadByItsValues) {
  const auto judged = judge(server_with(R"python(
def late(asked, said):
    if said:
        sys.stdout.write(json.dumps(said))
        sys.stdout.flush()
)python"),
                            {"request/*"});
  EXPECT_EQ(judged.exit_code, 0);
  EXPECT_EQ(judged.judgement.target.at("framing"), "concatenated");
  EXPECT_GT(judged.judgement.counts.at("pass"), 20);
}

TEST(Timing, BatchesThatAreNeverAnsweredFail) {
  const auto judged = judge(server_with(R"python(
def late(asked, said):
    if said and not isinstance(asked, list):
        say(said)
)python"),
                            {"calibration/batch"});
  EXPECT_EQ(judged.exit_code, 1);
  EXPECT_EQ(judged.judgement.counts.at("fail"), 1);
}

}  // namespace timing_test
}  // namespace jrpcheck::testing
