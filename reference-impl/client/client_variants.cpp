// Odd clients that no rule forbids.
#include <array>

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

const std::array kClientVariants = {
    ClientMutant{
        "ids-are-texts",
        {},
        {},
        kOverAll,
        "The ids of its calls are Strings.",
        with_ids_as([](Calls::Id id) { return ClientJson("call-" + std::to_string(id)); })},
    ClientMutant{"ids-are-large",
                 {},
                 {},
                 kOverAll,
                 "The ids of its calls are near 2^53.",
                 with_ids_as([](Calls::Id id) { return ClientJson(9007199254740900 + id); })},
    ClientMutant{"ids-are-negative",
                 {},
                 {},
                 kOverAll,
                 "The ids of its calls count downwards.",
                 with_ids_as([](Calls::Id id) { return ClientJson(-id); })},
    ClientMutant{"ids-from-zero",
                 {},
                 {},
                 kOverAll,
                 "The id of its first call is 0.",
                 with_ids_as([](Calls::Id id) { return ClientJson(id - 1); })},
    ClientMutant{
        "ids-of-every-kind",
        {},
        {},
        kOverAll,
        "The id of every other call is an empty String, of the others Numbers.",
        with_ids_as([](Calls::Id id) { return id % 2 == 0 ? ClientJson("") : ClientJson(id); })},
    ClientMutant{"spaces-in-requests",
                 {},
                 {},
                 kOverAll,
                 "Its messages have white space around them.",
                 send_spaces},
    ClientMutant{"escapes-in-requests",
                 {},
                 {},
                 kOverAll,
                 "The names of members are written as escapes.",
                 send_escapes},
    ClientMutant{"greets",
                 {},
                 {},
                 kOverAll,
                 "It sends Notifications before the first call.",
                 greet_with({R"({"jsonrpc":"2.0","method":"hello"})",
                             R"({"jsonrpc":"2.0","method":"hello","params":{}})"})},
    ClientMutant{"connects-for-each-call",
                 {},
                 {},
                 kOverHttp,
                 "Each call has a connection of its own.",
                 [](ClientHooks& hooks) { hooks.keeps_connections = false; }},
    ClientMutant{
        "chunked-requests", {}, {}, kOverHttp, "Its bodies are in chunked coding.", send_chunks},
    ClientMutant{"writes-byte-by-byte",
                 {},
                 {},
                 kOverAll,
                 "It writes byte by byte, and in fragments over WebSocket.",
                 [](ClientHooks& hooks) { hooks.sends_byte_by_byte = true; }},
    ClientMutant{"pings-client",
                 {},
                 {},
                 kOverWs,
                 "It sends a Ping before each message.",
                 [](ClientHooks& hooks) { hooks.pings = true; }},
    ClientMutant{"pongs-later",
                 {},
                 {},
                 kOverWs,
                 "Its pongs go out before its next message.",
                 [](ClientHooks& hooks) { hooks.frames.keeps_pongs_for_later = true; }},
    ClientMutant{"closes-without-code",
                 {},
                 {},
                 kOverWs,
                 "Its Close frames have no code.",
                 [](ClientHooks& hooks) { hooks.frames.gives_codes = false; }},
    ClientMutant{"fails-without-a-word",
                 {},
                 {},
                 kOverWs,
                 "A connection that it fails ends without a Close.",
                 [](ClientHooks& hooks) { hooks.frames.says_that_it_fails = false; }},
    ClientMutant{"ignores-what-is-broken",
                 {},
                 {},
                 kOverStreams,
                 "What is not JSON is passed over, and the call ends by its time limit.",
                 ignore_what_is_broken},
    ClientMutant{"gives-up-soon",
                 {},
                 {},
                 kOverStreams,
                 "It waits for half a second.",
                 [](ClientHooks& hooks) { hooks.patience = std::chrono::milliseconds(700); }},
};

}  // namespace

std::span<const ClientMutant> client_variants() { return kClientVariants; }

}  // namespace jrpcheck::reference
