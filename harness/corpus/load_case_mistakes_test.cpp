// Every mistake in a case file is an error that says where it is.
#include "corpus/load_case.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "corpus/one_case_for_testing.hpp"

namespace jrpcheck::corpus {
namespace load_case_mistakes_test {

struct Mistake {
  std::string_view what;
  std::string_view replace;
  std::string_view with;
  std::string_view error;  // behind the file's name
};

void expect_errors(const std::vector<Mistake>& mistakes) {
  for (const auto& mistake : mistakes) {
    SCOPED_TRACE(mistake.what);
    const auto loaded = load_cases("a.json", edited(mistake.replace, mistake.with));
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().message, "a.json:" + std::string(mistake.error));
  }
}

TEST(LoadCase, MistakesInTheFileNameTheirPlace) {
  expect_errors({
      {"cut off", "\n  ]\n}\n", "\n  ]\n",
       R"(19:1: not JSON: the text ends too early: expected ',' or '}' after the member)"},
      {"unknown member", R"("about")", R"("abuot")", R"(2:12: unknown member "abuot")"},
      {"no cases", R"("cases": [)", R"("kases": [)", R"(3:12: unknown member "kases")"},
      {"a member twice", R"("about": "One case.",)", R"("about": "", "about": "",)",
       R"(2:12: member "about" is there twice)"},
  });
}

TEST(LoadCase, MistakesInACaseNameItAndTheMember) {
  expect_errors({
      {"no id", R"("id": "group/name",)", "", R"(4:5: a case without id: member "id" is missing)"},
      {"an id without group", "group/name", "name",
       R"(4:5: case 'name': the id must read group/name in lower case, digits and hyphens)"},
      {"an id in capitals", "group/name", "group/Name",
       R"(4:5: case 'group/Name': the id must read group/name in lower case, digits and hyphens)"},
      {"an id with two slashes", "group/name", "group/a/name",
       R"(4:5: case 'group/a/name': the id must read group/name in lower case, digits and hyphens)"},
      {"no title", R"("title": "A call is answered",)", "",
       R"(4:5: case 'group/name': member "title" is missing)"},
      {"an empty title", R"("A call is answered")", R"("")",
       R"(6:16: case 'group/name': member "title" must not be empty)"},
      {"a refusal in a session that others share", R"("title": "A call is answered",)",
       R"("title": "A call is answered", "refuses": ["a"],)",
       R"(4:5: case 'group/name': "refuses" needs a "session" of its own)"},
      {"no requirement", R"(["res-always"])", "[]",
       R"(4:5: case 'group/name': "requirements" must name at least one)"},
      {"a requirement that is a Number", R"(["res-always"])", "[1]",
       R"(7:24: case 'group/name': "requirements" holds strings)"},
      {"requirements that are no list", R"(["res-always"])", R"("res-always")",
       R"(7:23: case 'group/name': member "requirements" must be an array, not a string)"},
      {"unknown transport", kCaseMember, R"("transports": ["smtp"], "observes": "answers")",
       R"(4:5: case 'group/name': unknown transport "smtp")"},
      {"unknown role", kCaseMember, R"("roles": ["substract"], "observes": "answers")",
       R"(4:5: case 'group/name': unknown role "substract")"},
      {"unknown need", kCaseMember, R"("needs": ["luck"], "observes": "answers")",
       R"(4:5: case 'group/name': unknown need "luck")"},
      {"calibration that is a String", kCaseMember, R"("calibration": "yes", "observes": "a")",
       R"(8:22: case 'group/name': member "calibration" must be a boolean, not a string)"},
      {"misspelt member", "observes", "observe",
       R"(8:18: case 'group/name': unknown member "observe")"},
      {"a member twice", kCaseMember, R"("observes": "a", "observes": "b")",
       R"(8:19: case 'group/name': member "observes" is there twice)"},
      {"observes nothing", R"(, "observe": "refused")", "",
       R"(4:5: case 'group/name': "observes" of a case and "observe" of an outcome need each other)"},
      {"observe without observes", R"("observes": "answers",)", "",
       R"(4:5: case 'group/name': "observes" of a case and "observe" of an outcome need each other)"},
      {"no steps", R"("steps": [)", R"("stepz": [)",
       R"(9:16: case 'group/name': unknown member "stepz")"},
      {"a derivation without edit", kCaseMember,
       R"("derived-from": {"case": "group/other"}, "observes": "answers")",
       R"(8:23: case 'group/name': member "edit" is missing)"},
      {"a derivation that replaces nothing", kCaseMember,
       R"("derived-from": {"case": "a/b", "edit": {"replace": "", "with": ""}}, "observes": "a")",
       R"(8:59: case 'group/name': member "replace" must not be empty)"},
      {"a derivation without with", kCaseMember,
       R"("derived-from": {"case": "a/b", "edit": {"replace": "x"}}, "observes": "a")",
       R"(8:47: case 'group/name': member "with" is missing)"},
      {"a case that is a String", R"("cases": [)", R"("cases": ["batch/empty",)",
       R"(3:13: a case without id: an object is expected here, not a string)"},
  });
}

TEST(LoadCase, MistakesInWhatIsSentNameTheirPlace) {
  expect_errors({
      {"no send", R"("send": {"json": {"id": 1}},)", "",
       R"(10:9: case 'group/name': member "send" is missing)"},
      {"no message", kSend, "[]",
       R"(11:19: case 'group/name': "send" must hold at least one message)"},
      {"a message in two forms", kSend, R"({"json": 1, "text": "1"})",
       R"(11:19: case 'group/name': a message has exactly one of json, text, hex, parts and frame)"},
      {"a message in no form", kSend, "{}",
       R"(11:19: case 'group/name': a message has exactly one of json, text, hex, parts and frame)"},
      {"an unknown form", kSend, R"({"base64": "AA=="})",
       R"(11:30: case 'group/name': unknown member "base64")"},
      {"a message that is a String", kSend, R"("text")",
       R"(11:19: case 'group/name': an object is expected here, not a string)"},
      {"a text that is a Number", kSend, R"({"text": 1})",
       R"(11:28: case 'group/name': member "text" must be a string, not a number)"},
      {"half a byte", kSend, R"({"hex": "7b f"})",
       R"(11:27: case 'group/name': "hex" has an odd number of digits)"},
      {"no hexadecimal digits", kSend, R"({"hex": "7g"})",
       R"(11:27: case 'group/name': "hex" holds pairs of hexadecimal digits)"},
      {"a part without times", kSend, R"({"parts": [{"repeat": "["}]})",
       R"(11:30: case 'group/name': "times" is missing, 0 or makes more than 64 MiB)"},
      {"a part that repeats nothing", kSend, R"({"parts": [{"repeat": "", "times": 9}]})",
       R"(11:41: case 'group/name': member "repeat" must not be empty)"},
      {"a part that is too long", kSend, R"({"parts": [{"repeat": "ab", "times": 40000000}]})",
       R"(11:30: case 'group/name': "times" is missing, 0 or makes more than 64 MiB)"},
      {"a length that wraps around", kSend,
       R"({"parts": [{"repeat": "ab", "times": 9223372036854775807}]})",
       R"(11:30: case 'group/name': "times" is missing, 0 or makes more than 64 MiB)"},
      {"a part in two forms", kSend, R"({"parts": [{"hex": "00", "times": 2}]})",
       R"(11:30: case 'group/name': a part with "hex" has no other member)"},
      {"a part that is a Number", kSend, R"({"parts": [1]})",
       R"(11:30: case 'group/name': an object is expected here, not a number)"},
      {"pieces of no bytes", kStepMember, R"("write": {"every": 0}, "accept": [)",
       R"(12:30: case 'group/name': "every" is a number above 0)"},
      {"pieces of half a byte", kStepMember, R"("write": {"every": 0.5}, "accept": [)",
       R"(12:30: case 'group/name': member "every" must be a whole number)"},
      {"no pieces", kStepMember, R"("write": {}, "accept": [)",
       R"(12:20: case 'group/name': "write" has one of every and at)"},
      {"pieces twice", kStepMember, R"("write": {"every": 2, "at": [1]}, "accept": [)",
       R"(12:20: case 'group/name': "write" has one of every and at)"},
      {"replies without a cut", kStepMember,
       R"("write": {"every": 2, "after-replies": 1}, "accept": [)",
       R"(12:20: case 'group/name': "write" has one of every and at)"},
      {"no replies", kStepMember, R"("write": {"at": [1], "after-replies": 0}, "accept": [)",
       R"(12:49: case 'group/name': "after-replies" is a number above 0, beside "at")"},
      {"a cut before the first byte", kStepMember, R"("write": {"at": [0]}, "accept": [)",
       R"(12:28: case 'group/name': "at" holds offsets above 0)"},
      {"an end of no kind", kStepMember, R"("then": "drop", "accept": [)",
       R"(12:19: case 'group/name': "then" is hold, reset or reset-within-answer)"},
      {"a header that is a Number", kStepMember,
       R"("http": {"headers": {"Accept": 1}}, "accept": [)",
       R"(12:42: case 'group/name': a header is a string or null)"},
      {"an unknown detail of HTTP", kStepMember, R"("http": {"paths": "/"}, "accept": [)",
       R"(12:29: case 'group/name': unknown member "paths")"},
      {"raw bytes over HTTP", kStepMember, R"("raw": true, "accept": [)",
       R"(4:5: case 'group/name': "raw" is for streams: "transports" must leave http out)"},
      {"a flag that is a Number", kStepMember, R"("concurrently": 1, "accept": [)",
       R"(12:27: case 'group/name': member "concurrently" must be a boolean, not a number)"},
      {"the connection of no step", kStepMember, R"("same-connection": true, "accept": [)",
       R"(4:5: case 'group/name': "same-connection", "same-status", "after-result", )"
       "\"after-error\", \"after-failure\" and \"after-invalid-params\" need a step before them"},
      {"the result of no step", kStepMember, R"("after-result": true, "accept": [)",
       R"(4:5: case 'group/name': "same-connection", "same-status", "after-result", )"
       "\"after-error\", \"after-failure\" and \"after-invalid-params\" need a step before them"},
      {"the error of no step", kStepMember, R"("after-error": true, "accept": [)",
       R"(4:5: case 'group/name': "same-connection", "same-status", "after-result", )"
       "\"after-error\", \"after-failure\" and \"after-invalid-params\" need a step before them"},
      {"the failure of no step", kStepMember, R"("after-failure": true, "accept": [)",
       R"(4:5: case 'group/name': "same-connection", "same-status", "after-result", )"
       "\"after-error\", \"after-failure\" and \"after-invalid-params\" need a step before them"},
      {"a step after the end of input", R"("steps": [)",
       R"("steps": [{"send": {"text": ""}, "end-of-input": true, "accept": [{"silence": true}]},)",
       R"(4:5: case 'group/name': after "end-of-input" there is no further step)"},
  });
}

TEST(LoadCase, MistakesInWhatMayComeBackNameTheirPlace) {
  expect_errors({
      {"no accept", R"("accept": [)", R"("except": [)",
       R"(12:21: case 'group/name': unknown member "except")"},
      {"no outcome", kOutcome, "",
       R"(12:21: case 'group/name': "accept" must name at least one outcome)"},
      {"no pattern", kOutcome, R"({"verdict": "pass"})",
       R"(13:13: case 'group/name': an outcome has exactly one pattern)"},
      {"two patterns", kOutcome, R"({"silence": true, "closed": true})",
       R"(13:13: case 'group/name': an outcome has exactly one pattern)"},
      {"silence that is false", kOutcome, R"({"silence": false})",
       R"(13:13: case 'group/name': "silence" can only be true)"},
      {"an Array alone", kOutcome, R"({"responses": [{"batch": []}]})",
       R"(13:27: case 'group/name': "responses" must hold at least one Response)"},
      {"two Arrays", kOutcome, R"({"responses": [{"batch": []}, {"batch": []}]})",
       R"(13:43: case 'group/name': one of several messages at most is a "batch")"},
      {"no messages", kOutcome, R"({"responses": []})",
       R"(13:27: case 'group/name': "responses" must hold at least one Response)"},
      {"a status alone", kOutcome, R"({"status": [404]})",
       R"(13:13: case 'group/name': "status" is a pair of numbers from 100 to 999, from and to)"},
      {"a status backwards", kOutcome, R"({"status": [499, 400]})",
       R"(13:13: case 'group/name': "status" is a pair of numbers from 100 to 999, from and to)"},
      {"a status that does not exist", kOutcome, R"({"status": [40, 49]})",
       R"(13:13: case 'group/name': "status" is a pair of numbers from 100 to 999, from and to)"},
      {"a response without id", R"(, "id": null)", "",
       R"(13:26: case 'group/name': a Response pattern says what its "id" is)"},
      {"a response without outcome", R"("error": {"code": -32600}, )", "",
       "13:26: case 'group/name': a Response pattern has result or error, or both where either may "
       "come"},
      {"a code that is a fraction", "-32600", "-32600.5",
       R"(13:45: case 'group/name': an error code is a whole number)"},
      {"a code that is a String", "-32600", R"("-32600")",
       R"(13:45: case 'group/name': an error code is a whole number)"},
      {"no code", "-32600", "[]", R"(13:45: case 'group/name': a list of codes must not be empty)"},
      {"a code left out of none", R"("code": -32600)", R"("code-not": [])",
       R"(13:49: case 'group/name': a list of codes must not be empty)"},
      {"any that is false", R"("code": -32600)", R"("any": false)",
       R"(13:36: case 'group/name': "any" can only be true)"},
      {"a code and any", R"("code": -32600)", R"("code": -32600, "any": true)",
       R"(13:36: case 'group/name': error has one of code, code-not and any)"},
      {"unknown type", R"("error": {"code": -32600})", R"("result": {"type": "integer"})",
       R"(13:46: case 'group/name': unknown JSON type "integer")"},
      {"any result that is false", R"("error": {"code": -32600})", R"("result": {"any": false})",
       R"(13:37: case 'group/name': "any" can only be true)"},
      {"an id of none", R"("id": null)", R"("id": {"any-of": []})",
       R"(13:71: case 'group/name': "any-of" must name at least one id)"},
      {"an id that is a bare Object", R"("id": null)", R"("id": {"a": 1})",
       R"(13:66: case 'group/name': unknown member "a")"},
      {"unknown verdict", R"("observe": "refused")", R"("verdict": "maybe")",
       R"(13:13: case 'group/name': unknown verdict "maybe")"},
      {"a warning without reason", R"("observe": "refused")", R"("verdict": "warn")",
       R"(13:13: case 'group/name': a warn or fail says "because" of what)"},
      {"a reason to pass", R"("observe": "refused")", R"("because": "It is right.")",
       R"(13:13: case 'group/name': "charge" and "because" stand beside a verdict of warn or fail)"},
      {"a charge for a pass", R"("observe": "refused")", R"("charge": "res-once")",
       R"(13:13: case 'group/name': "charge" and "because" stand beside a verdict of warn or fail)"},
      {"a verdict of what tells nothing", R"("observe": "refused")",
       R"("verdict": "fail", "because": "It is wrong.", "tells-nothing": "it has none")",
       R"(13:13: case 'group/name': what "tells-nothing" has no verdict, and observes nothing)"},
      {"an observation of what tells nothing", R"("observe": "refused")",
       R"("observe": "refused", "tells-nothing": "it has none")",
       R"(13:13: case 'group/name': what "tells-nothing" has no verdict, and observes nothing)"},
      {"another envelope", R"("observe": "refused")", R"("envelope": "3.0")",
       R"(13:13: case 'group/name': the only other "envelope" is "1.0")"},
      {"silence in an envelope", kOutcome, R"({"silence": true, "envelope": "1.0"})",
       R"(13:13: case 'group/name': "envelope" stands beside "response" only)"},
      {"an outcome for an unknown transport", kOutcome,
       R"({"silence": true, "transports": ["smtp"]})",
       R"(13:13: case 'group/name': unknown transport "smtp")"},
      {"an outcome here and elsewhere", kOutcome,
       R"({"silence": true, "transports": ["lines"], "except-transports": ["http"]})",
       R"(13:13: case 'group/name': "transports" says where it applies, and "except-transports" )"
       R"(leaves out)"},
      {"no outcome for a transport", kOutcome,
       R"({"silence": true, "transports": ["http", "lines"]})",
       R"(4:5: case 'group/name': "accept" names no outcome for the transport content-length)"},
      {"an unknown part", kStepMember, R"("charge": {"colour": "res-once"}, "accept": [)",
       R"(12:32: case 'group/name': unknown part "colour" in "charge")"},
      {"a charge that is a Number", kStepMember, R"("charge": {"id": 1}, "accept": [)",
       R"(12:28: case 'group/name': a charge is the id of a requirement)"},
  });
}

}  // namespace load_case_mistakes_test
}  // namespace jrpcheck::corpus
