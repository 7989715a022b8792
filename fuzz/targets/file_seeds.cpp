#include "fuzz/targets/file_seeds.hpp"

#include "reports/run_for_testing.hpp"
#include "result/baseline.hpp"
#include "traffic/capture.hpp"

namespace jrpcheck::fuzz {
namespace {

// The second is of a version that named no symptom.
constexpr std::string_view kFindings[] = {
    R"({"format": "jrpcheck-finding-1", "requirement": "err-code-method", "shape": "call: -32603",
"severity": "fail", "symptom": "wrong-code", "place": {"element": 1, "pointer": "/error/code"},
"message": "", "particulars": "-32603", "expected": "-32601", "actual": "-32603",
"sent": {"text": "[{\"jsonrpc\":\"2.0\",\"method\":\"jrpcheckX\",\"id\":1}]"},
"before": [{"text": "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"}],
"replies": [{"base64": "e30="}], "transport": "stdio",
"server": {"serves-batches": true, "dialect": false, "methods": ["a"]}, "seed": 1, "shown": 3,
"tries": 3, "reduced-in": 9, "standard-error": "", "reproduce": "jrpcheck replay x -- y",
"flaky": false})",
    R"({"format": "jrpcheck-finding-1", "requirement": "res-version", "shape": "s",
"severity": "warn", "message": "A reply has no version.", "expected": "e", "actual": "a",
"sent": {"base64": "/w=="}, "replies": [], "transport": "http",
"server": {"serves-batches": false, "dialect": true, "methods": []}, "seed": 1, "shown": 1,
"tries": 3, "standard-error": "x", "reproduce": "r"})"};

constexpr std::string_view kBaselines[] = {
    R"({"schema": "jrpcheck-baseline-2", "about": "A.", "cases": {
"batch/empty": {"reason": "Known.", "flaky": true},
"call/a": {"findings": [{"requirement": "res-version", "severity": "warn",
"symptom": "wrong-code", "element": 2, "pointer": "/error"}]}}})",
    R"({"schema": "jrpcheck-baseline-1", "cases": {"a": {"findings":
[{"requirement": "res-version", "shape": "old words"}]}}})"};

constexpr std::string_view kMethods[] = {
    R"({"echo": {"method": "my.echo", "does": "D.", "refused": ["x: y"]}, "sum": {"method": null}})"};

constexpr std::string_view kTargets[] = {
    R"({"$schema": "./target.schema.json", "name": "fuzzed", "kind": "server", "group": "library",
"about": "A.", "home": "https://example.org/a", "licence": "MIT", "version": "1.0",
"install": {"npm": ["a@1.0"], "apt": ["b"]}, "wrapper": "wrappers/a.py",
"start": ["node", "{wrapper}", "{port}"], "door": "http", "target": "http://127.0.0.1:{port}/",
"profile": "mcp", "methods": "methods/a.json", "options": ["--select", "x"], "limits": ["L."],
"found": "1.0", "not-judged": "N."})"};

// One of each format of others; our own is made by its writer.
constexpr std::string_view kCaptures[] = {
    "// a test\n>> [{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}]\n<< []\n",
    R"(some line before
[LSP   - 10:00:00 AM] {"isLSPMessage":true,"type":"send-request","message":{"jsonrpc":"2.0","id":1.0,"method":"a"},"timestamp":1697000000000}
[LSP   - 10:00:01 AM] {"isLSPMessage":true,"type":"receive-response","message":{"id":1},"timestamp":1697000000250}
)",
    R"({"session_id":"s","seq":1,"ts":"2026-06-27T19:29:00.5Z","direction":"c2s","raw":{"id":1}}
{"session_id":"s","seq":3,"ts":"2026-06-27T19:29:01Z","direction":"s2c","text":"oops"}
{"session_id":"s","seq":4,"ts":"2026-06-27T19:29:01Z","direction":"s2c","raw":{},"truncated":true}
)",
    R"({"msgKind":"request","from":"client","id":1,"timestamp":"2026-01-01T00:00:00Z","msg":{"id":1}})",
    R"({"log":{"version":"1.2","entries":[{"startedDateTime":"2026-01-01T00:00:00.000Z","time":12.5,
"request":{"method":"POST","url":"http://a/","postData":{"text":"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}"}},
"response":{"status":200,"content":{"size":2,"mimeType":"application/json","text":"e30=","encoding":"base64"}}},
{"startedDateTime":"2026-01-01T00:00:02.000Z","request":{"method":"GET","url":"ws://a/"},
"_webSocketMessages":[{"type":"send","time":1767225602.5,"opcode":2,"data":"eyJqc29ucnBjIjoiMi4wIiwibWV0aG9kIjoiYSIsImlkIjoxfQ=="},
{"type":"receive","time":1767225603,"opcode":1,"data":"[2]"}]}]}})"};

std::string own_capture() {
  using dialogue::Side;
  using dialogue::TrafficEvent;
  TrafficEvent call{TrafficEvent::Kind::message, Side::client, microseconds(1'500'000), 2};
  call.message = std::string(R"({"jsonrpc":"2.0","method":"a","id":1})");
  call.exchange = 1;
  TrafficEvent answer{TrafficEvent::Kind::message, Side::server, microseconds(1'700'000), 2};
  answer.message = std::string("\xFF");
  answer.exchange = 1;
  answer.http_status = 200;
  answer.content_type = "application/json";
  answer.is_binary = true;
  TrafficEvent closed{TrafficEvent::Kind::closed, Side::server, microseconds(2'000'000), 2};
  closed.note = "was reset";
  return traffic::capture_head("http", "http", "http://a/") + traffic::capture_line(call) +
         traffic::capture_line(answer) + traffic::capture_line(closed);
}

}  // namespace

void add_file_seeds(SeedWriter& seeds) {
  const auto add_all = [&](const std::string& target, const auto& texts) {
    for (const auto text : texts) seeds.add(target, std::string(text));
  };
  add_all("fuzz-finding", kFindings);
  add_all("fuzz-baseline", kBaselines);
  seeds.add("fuzz-baseline",
            result::write_baseline(result::updated_by(reports::run_for_testing(), true, {})));
  add_all("fuzz-methods", kMethods);
  add_all("fuzz-target", kTargets);
  add_all("fuzz-capture", kCaptures);
  seeds.add("fuzz-capture", own_capture());
}

}  // namespace jrpcheck::fuzz
