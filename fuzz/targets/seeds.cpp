// Writes the seeds of our own targets: `fuzz-seeds FOLDER` makes FOLDER/TARGET/..., one file an
// input. They come from the corpus, so that the targets begin where the cases are.
#include <cstdio>
#include <string>

#include "corpus/corpus.hpp"
#include "corpus/lint.hpp"
#include "fuzz/targets/file_seeds.hpp"
#include "fuzz/targets/seed_bindings.hpp"
#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"
#include "reports/run_for_testing.hpp"
#include "wire/framing.hpp"
#include "wire/http1.hpp"
#include "wire/sse.hpp"
#include "wire/websocket.hpp"

namespace {

using namespace jrpcheck;
using corpus::Case;
using fuzz::SeedWriter;
using wire::MakeFraming;

std::string framed(MakeFraming kind, const corpus::Step& step) {
  std::string stream;
  for (const auto& message : step.messages) {
    stream += step.raw ? message.text() : kind({})->encode(message.text());
  }
  return stream;
}

std::string over_websocket(const corpus::Step& step) {
  const auto framing = wire::make_websocket({});
  std::string stream;
  for (std::size_t i = 0; i < step.messages.size(); ++i) {
    const auto frame = step.frames.find(i);
    const auto details = frame == step.frames.end() ? wire::FrameDetails{} : frame->second;
    const std::string& message = step.messages[i].text();
    stream += step.raw ? message : framing->encode_frame(details, message);
  }
  return stream;
}

std::string over_http(const corpus::Step& step) {
  std::string stream;
  for (const auto& each : step.messages) {
    const std::string& message = each.text();
    if (step.raw) {
      stream += message;
      continue;
    }
    wire::HttpFields fields = {{"Host", "localhost"}, {"Content-Type", "application/json"}};
    for (const auto& [name, value] : step.http.headers) {
      if (value) fields.emplace_back(name, *value);
    }
    fields.emplace_back(step.http.chunked ? "Transfer-Encoding" : "Content-Length",
                        step.http.chunked ? "chunked" : std::to_string(message.size()));
    stream += wire::http_request(step.http.method, "/", fields,
                                 step.http.chunked ? wire::http_chunked(message, 16) : message);
  }
  return stream;
}

void add_streams(const Case& one, SeedWriter& seeds) {
  std::string lines;
  std::string by_length;
  std::string behind_length;
  std::string requests;
  std::string frames;
  for (const auto& step : one.steps) {
    frames += over_websocket(step);
    lines += framed(wire::make_lines, step);
    by_length += framed(wire::make_content_length, step);
    behind_length += framed(wire::make_length32, step);
    requests += over_http(step);
  }
  seeds.add("fuzz-lines", lines);
  seeds.add("fuzz-concatenated", lines);
  seeds.add("fuzz-content-length", by_length);
  seeds.add("fuzz-length32", behind_length);
  seeds.add("fuzz-http", requests);
  seeds.add("fuzz-websocket", frames);
}

/// Scripts for the judge: silence, and one reply to every step.
void add_scripts(const Case& one, SeedWriter& seeds) {
  constexpr std::string_view kReplies[] = {
      R"(>{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null})",
      R"(>{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1})",
      R"(>{"jsonrpc":"2.0","result":19,"id":1})", R"(>[{"jsonrpc":"2.0","result":null,"id":1}])"};
  seeds.add("fuzz-judge", one.id + "\nt\n");
  for (const auto reply : kReplies) {
    std::string script = one.id + "\n=100\n:application/json\n";
    for (std::size_t step = 0; step < one.steps.size(); ++step) {
      script.append(step == 0 ? "" : ".\n").append(reply).append("\n");
    }
    seeds.add("fuzz-judge", script + "a\n");
  }
}

void add_case(const Case& one, SeedWriter& seeds) {
  seeds.add_file("fuzz-corpus", "{\"cases\": [" + one.source + "]}");
  add_scripts(one, seeds);
  const auto bound = corpus::bind(one, fuzz::seed_bindings());
  if (!bound) return;
  add_streams(*bound, seeds);
  seeds.add_messages("fuzz-json", *bound);
}

void add_responses(SeedWriter& seeds) {
  const std::string body = R"({"jsonrpc":"2.0","result":19,"id":1})";
  const auto length = std::to_string(body.size());
  const std::string plain = wire::http_response(200, {{"Content-Length", length}}, body);
  const std::string chunked =
      wire::http_response(200, {{"Transfer-Encoding", "chunked"}}, wire::http_chunked(body, 9));
  seeds.add("fuzz-http", plain + chunked);
  seeds.add("fuzz-http", wire::http_response(100, {}, "") + plain);
  seeds.add("fuzz-http", wire::http_response(204, {}, "") + plain);
  seeds.add("fuzz-http", wire::http_response(200, {{"Connection", "close"}}, body));
}

void add_event_streams(SeedWriter& seeds) {
  const std::string message = R"({"jsonrpc":"2.0","result":19,"id":1})";
  const std::string event =
      wire::event_text({.type = "message", .data = message, .id = "1", .retry = "9"});
  seeds.add("fuzz-sse", "\xEF\xBB\xBF: comment\r\n\r\nid: 0\r\ndata:\r\n\r\n" + event);
  seeds.add("fuzz-sse", "data: {\rdata:}\r\rdata\n\nretry: x\n\nunfinished");
  seeds.add("fuzz-http", wire::http_response(200, {{"Content-Type", "text/event-stream"}}, event));
}

void add_files(SeedWriter& seeds) {
  for (const auto& file : corpus::embedded_files()) {
    if (file.path.rfind(corpus::kProfilesPath, 0) == 0) {
      seeds.add_file("fuzz-corpus", "#profile\n" + file.text);
    }
    if (corpus::holds_scenarios(file.path, file.text)) {
      seeds.add_file("fuzz-corpus", "#scenarios\n" + file.text);
    }
  }
  seeds.add_file("fuzz-corpus", R"(#ledger
{"levels": {"must": "fails", "should": "warns", "info": "recorded"},
 "requirements": [{"id": "req-version", "clause": "4", "level": "must", "class": "core",
  "text": "T.", "note": "N.", "why": "W.", "seen": ["a/b #1: S"]}]})");
}

void add_runs(SeedWriter& seeds) {
  for (const auto& run : {reports::run_for_testing(), reports::empty_run_for_testing()}) {
    seeds.add_file("fuzz-run-reader", reports::render_compact_json(run));
  }
}

bool write_seeds(const char* folder) {
  const auto corpus = corpus::assemble(corpus::embedded_files(), {});
  if (!corpus) {
    std::fprintf(stderr, "%s\n", corpus.error().message.c_str());
    return false;
  }
  SeedWriter seeds(folder);
  for (const auto& one : corpus->cases) add_case(one, seeds);
  add_responses(seeds);
  add_event_streams(seeds);
  add_files(seeds);
  add_runs(seeds);
  fuzz::add_file_seeds(seeds);
  return seeds.complete();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz-seeds FOLDER\n");
    return 2;
  }
  return write_seeds(argv[1]) ? 0 : 1;
}
