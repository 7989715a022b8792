// Odd clients that no rule forbids.

#include <memory>

#include "reference-impl/client/client_edits.hpp"
#include "reference-impl/client/client_mutants.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

namespace {

void send_spaces(ClientHooks& hooks) {
  hooks.sending = [](const std::string& text) {
    return " " + ClientJson::parse(text).dump(-1, ' ') + " \t ";
  };
}

void send_escapes(ClientHooks& hooks) {
  hooks.sending = [](std::string text) {
    for (auto at = text.find("\"method\""); at != text.npos; at = text.find("\"method\"", at)) {
      text.replace(at, 8, "\"m\\u0065thod\"");
    }
    return text;
  };
}

void send_chunks(ClientHooks& hooks) {
  hooks.http_request = [](const std::string& body) -> std::pair<wire::HttpFields, std::string> {
    return {{{"Content-Type", "application/json"}, {"Transfer-Encoding", "chunked"}},
            wire::http_chunked(body, 7)};
  };
}

void ignore_what_is_broken(ClientHooks& hooks) {
  hooks.patience = std::chrono::milliseconds(700);
  on_text([](std::string text, const Waiting&) {
    const bool is_response = text.size() > 1000 || ClientJson::accept(text);
    return is_response ? text : "";
  })(hooks);
}

void stop_at_http_errors(ClientHooks& hooks) {
  hooks.body = [has_stopped = std::make_shared<bool>(false)](const wire::HttpMessage& response) {
    *has_stopped = *has_stopped || response.status >= 400 || response.body.starts_with('<');
    return *has_stopped ? std::string("(given up)") : response.body;
  };
}

const ClientMutant kClientVariants[] = {
    {"ids-are-texts", kLegal, kOverAll, "The ids of its calls are Strings.",
     with_ids_as([](Calls::Id id) { return ClientJson("call-" + std::to_string(id)); })},
    {"ids-are-large", kLegal, kOverAll, "The ids of its calls are near 2^53.",
     with_ids_as([](Calls::Id id) { return ClientJson(9007199254740900 + id); })},
    {"ids-are-negative", kLegal, kOverAll, "The ids of its calls count downwards.",
     with_ids_as([](Calls::Id id) { return ClientJson(-id); })},
    {"ids-from-zero", kLegal, kOverAll, "The id of its first call is 0.",
     with_ids_as([](Calls::Id id) { return ClientJson(id - 1); })},
    {"ids-of-every-kind", kLegal, kOverAll,
     "The id of every other call is an empty String, of the others Numbers.",
     with_ids_as([](Calls::Id id) { return id % 2 == 0 ? ClientJson("") : ClientJson(id); })},
    {"ids-are-alike", kLegal, kOverAll, "Its calls come one after another, and have one id.",
     [](ClientHooks& hooks) {
       with_ids_as([](Calls::Id) { return ClientJson(1); })(hooks);
       hooks.calls_in_turn = true;
     }},
    {"spaces-in-requests", kLegal, kOverAll, "Its messages have white space around them.",
     send_spaces},
    {"escapes-in-requests", kLegal, kOverAll, "The names of members are written as escapes.",
     send_escapes},
    {"greets", kLegal, kOverAll, "It sends Notifications before the first call.",
     greet_with({R"({"jsonrpc":"2.0","method":"hello"})",
                 R"({"jsonrpc":"2.0","method":"hello","params":{}})"})},
    {"connects-for-each-call", kLegal, kOverHttp, "Each call has a connection of its own.",
     [](ClientHooks& hooks) { hooks.keeps_connections = false; }},
    {"stops-at-http-errors", kLegal, kOverHttp,
     "After a status of failure, or a page, all its calls end in errors.", stop_at_http_errors},
    {"calls-again", kLegal, kOverAll,
     "Where the connection ends before an answer has come, it connects and calls once more.",
     [](ClientHooks& hooks) { hooks.calls_again = true; }},
    {"chunked-requests", kLegal, kOverHttp, "Its bodies are in chunked coding.", send_chunks},
    {"writes-byte-by-byte", kLegal, kOverAll,
     "It writes byte by byte, and in fragments over WebSocket.",
     [](ClientHooks& hooks) { hooks.sends_byte_by_byte = true; }},
    {"pings-client", kLegal, kOverWs, "It sends a Ping before each message.",
     [](ClientHooks& hooks) { hooks.pings = true; }},
    {"pongs-later", kLegal, kOverWs, "Its pongs go out before its next message.",
     [](ClientHooks& hooks) { hooks.frames.keeps_pongs_for_later = true; }},
    {"closes-without-code", kLegal, kOverWs, "Its Close frames have no code.",
     [](ClientHooks& hooks) { hooks.frames.gives_codes = false; }},
    {"fails-without-a-word", kLegal, kOverWs, "A connection that it fails ends without a Close.",
     [](ClientHooks& hooks) { hooks.frames.says_that_it_fails = false; }},
    {"ignores-what-is-broken", kLegal, kOverStreams,
     "What is not JSON is passed over, and the call ends by its time limit.",
     ignore_what_is_broken},
    {"gives-up-soon", kLegal, kOverStreams, "It waits for 0.7 seconds.",
     [](ClientHooks& hooks) { hooks.patience = std::chrono::milliseconds(700); }},
};

}  // namespace

std::span<const ClientMutant> client_variants() { return kClientVariants; }

}  // namespace jrpcheck::reference
