#include "run/stranger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "dialogue/message.hpp"
#include "json/parse.hpp"
#include "session/opening.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::run {
namespace {

constexpr std::size_t kShownOfPage = 100;

bool has_member(const json::Value& object, std::string_view name) {
  return std::any_of(object.names().begin(), object.names().end(),
                     [&](const auto& each) { return same_ignoring_case(each, name); });
}

// Whether the code is one that JSON-RPC 2.0 gives a meaning (§5.1). What an implementation means by
// the others of the reserved range nobody knows: tRPC has -32004 for a path that is not there.
bool has_defined_code(const json::Value& error) {
  const json::Value* code = error.is(json::Kind::object) ? error.find("code") : nullptr;
  constexpr std::array<std::string_view, 5> kDefined = {"-32700", "-32600", "-32601", "-32602",
                                                        "-32603"};
  return code != nullptr && code->is(json::Kind::number) && contains(kDefined, code->text());
}

// A server may make a String of a Number, and that is for the judge.
bool has_same_id(const json::Value& reply, std::string_view message) {
  const json::Value* id = reply.find("id");
  const auto sent = json::parse(message);
  const json::Value* due =
      sent && sent.value->is(json::Kind::object) ? sent.value->find("id") : nullptr;
  return id != nullptr && due != nullptr && !due->text().empty() && id->text() == due->text();
}

bool is_one_response_to(const json::Value& reply, std::string_view message, bool has_succeeded) {
  if (!reply.is(json::Kind::object)) return false;
  const bool has_outcome = has_member(reply, "result") || has_member(reply, "error");
  if (has_member(reply, "method") && !has_outcome) return false;  // a call, such as an echo
  if (has_member(reply, "jsonrpc") || has_same_id(reply, message)) return true;
  const json::Value* error = reply.find("error");
  return (has_succeeded && has_outcome) || (error != nullptr && has_defined_code(*error));
}

// Whoever refuses a call for want of a login may well say so in an error of JSON-RPC.
bool has_looked_at_method(const json::Value& reply) {
  if (!reply.is(json::Kind::object) || has_member(reply, "result")) return true;
  const json::Value* error = reply.find("error");
  const json::Value* code =
      error != nullptr && error->is(json::Kind::object) ? error->find("code") : nullptr;
  return code != nullptr && code->text() == "-32601";
}

enum class Manner {
  unclear,  // it may be a JSON-RPC server that is broken
  login,
  missing,
  elsewhere,
  page,
  refusal,
  gateway,
  empty,
  echo,
  coded,
  text,
  other_json,
};

bool is_page(const HttpAnswer& answer) { return is_html(answer.body); }

// The error object may stand without its Response, and has a Number there (§5.1). In other APIs a
// code is a word as well.
bool may_be_bare_error(const json::Value& object) {
  const json::Value* code = object.find("code");
  return code != nullptr && code->is(json::Kind::number);
}

// What no reply of a JSON-RPC server is made of, however broken it is.
Manner manner_of_text(std::string_view said) {
  const auto parsed = json::parse(said, dialogue::kMessageLimits);
  if (parsed && parsed.value->is(json::Kind::object)) {
    for (const std::string_view name : {"jsonrpc", "id", "result", "error", "method"}) {
      if (has_member(*parsed.value, name)) return Manner::unclear;
    }
    const bool may_be_error = parsed.value->size() == 0 || may_be_bare_error(*parsed.value);
    return may_be_error ? Manner::unclear : Manner::other_json;
  }
  const auto begin = said.find_first_not_of(" \t\r\n");
  if (parsed || begin == std::string_view::npos || said[begin] == '{' || said[begin] == '[') {
    return Manner::unclear;
  }
  for (const std::string_view word : {"jsonrpc", "\"id\"", "result", "error"}) {
    if (contains(said, word)) return Manner::unclear;
  }
  return Manner::text;
}

Manner manner_of(const HttpAnswer& answer) {
  if (is_response(answer)) return Manner::unclear;
  switch (answer.status) {
    case 401:
    case 403:
    case 407:
      return Manner::login;
    case 404:
    case 405:
    case 410:
      return Manner::missing;
    case 402:
    case 406:
    case 409:
    case 411:
    case 412:
    case 415:
    case 421:
    case 422:
    case 426:
    case 428:
    case 451:
    case 501:
      return is_page(answer) ? Manner::page : Manner::refusal;
    case 502:
    case 504:
      return Manner::gateway;
    default:
      break;
  }
  if (answer.status >= 300 && answer.status < 400) return Manner::elsewhere;
  if (answer.status >= 500) return Manner::unclear;  // it may be the call that it cannot bear
  if (answer.status == 429) return Manner::unclear;  // another time it may serve
  if (is_page(answer)) return Manner::page;
  if (answer.status < 200 || answer.status >= 300) return Manner::unclear;
  // An event stream may bring its messages later.
  const bool is_stream = wire::is_event_stream(answer.content_type);
  if (is_blank(answer.body) && !is_stream) return Manner::empty;
  if (answer.body == answer.sent) return Manner::echo;
  const Manner manner = manner_of_text(answer.body);
  return manner == Manner::text && !answer.coding.empty() ? Manner::coded : manner;
}

std::string title_of(const std::string& page) {
  const std::string lower = in_lower_case(page);
  const auto open = lower.find("<title>");
  const auto close = open == std::string::npos ? open : lower.find("</title>", open);
  if (close == std::string::npos) return {};
  return " \"" + to_visible(page.substr(open + 7, close - open - 7), kShownOfPage) + "\"";
}

Stranger login(const HttpAnswer& answer, bool has_credentials) {
  Stranger stranger;
  std::string challenge;
  if (!answer.challenge.empty()) {
    challenge = ", WWW-Authenticate: " + to_visible(answer.challenge, kShownOfPage);
  }
  stranger.what =
      fmt::format("it {} (HTTP {}{})",
                  has_credentials ? "refuses the credentials that it is given" : "asks for a login",
                  answer.status, challenge);
  const bool is_basic = begins_ignoring_case(answer.challenge, "basic");
  stranger.advice.push_back(
      is_basic ? "give the login: --header 'Authorization: Basic ...', or USER:PASSWORD@ before "
                 "the host "
                 "in the URL, or --cookie-file FILE for a node of Bitcoin Core"
               : std::string(session::kGiveTheLogin));
  return stranger;
}

Stranger described(Manner manner, const HttpAnswer& answer, bool has_credentials) {
  const int status = answer.status;
  const std::string body = to_visible(answer.body, kShownOfPage);
  switch (manner) {
    case Manner::login:
      return login(answer, has_credentials);
    case Manner::missing:
      return {.what = fmt::format(
                  "{} (HTTP {})",
                  status == 405 ? "that path takes no POST" : "there is no such path", status),
              .may_be_elsewhere = true};
    case Manner::elsewhere:
      return {.what = fmt::format(
                  "it sends its clients elsewhere (HTTP {}{})", status,
                  answer.location.empty() ? "" : ", Location: " + to_visible(answer.location)),
              .may_be_elsewhere = true,
              .location = answer.location};
    case Manner::page:
      return {.what = fmt::format("it is a web page{} (HTTP {})", title_of(answer.body), status),
              .may_be_elsewhere = true};
    case Manner::refusal:
      return {.what = fmt::format("it refuses every call (HTTP {}{}{})", status,
                                  body.empty() ? "" : ": ", body),
              .advice = {"where it wants a header: --header 'NAME: VALUE'"},
              .may_be_elsewhere = true};
    case Manner::gateway:
      return {
          .what = fmt::format(
              "a gateway answers in place of a server that it does not reach (HTTP {})", status),
          .is_nobody = true,
          .may_come_up = true};
    case Manner::empty:
      return {
          .what = fmt::format("it answers every call with nothing (HTTP {})", status),
          .advice = {"where it knows none of the methods that were called: --methods FILE names "
                     "those that it has"},
          .may_be_elsewhere = true};
    case Manner::echo:
      return {.what = "it sends back what it is sent", .may_be_elsewhere = true};
    case Manner::coded:
      return {.what = fmt::format("its answers come coded (HTTP {}, Content-Encoding: {}), and no "
                                  "coding is asked for (Accept-Encoding: identity)",
                                  status, to_visible(answer.coding, kShownOfPage)),
              .is_nobody = true};
    case Manner::text:
      return {.what = fmt::format("it answers calls with text (HTTP {}: {})", status, body),
              .may_be_elsewhere = true};
    case Manner::other_json:
      return {.what = fmt::format("it answers calls with JSON that is no Response (HTTP {}: {})",
                                  status, body),
              .may_be_elsewhere = true};
    case Manner::unclear:
      break;
  }
  return {};
}

std::optional<Stranger> recognise_silence(const std::vector<HttpAnswer>& answers,
                                          const Asking& asking) {
  const auto closed =
      std::count_if(answers.begin(), answers.end(), [](const auto& each) { return each.closed; });
  if (answers.empty()) return std::nullopt;
  if (closed == 0) {
    return Stranger{
        .what = "it accepts connections and says nothing", .is_nobody = true, .is_silent = true};
  }
  const bool is_all = static_cast<std::size_t>(closed) == answers.size();
  if (!is_all || !asking.is_run_by_others) return std::nullopt;
  return Stranger{.what = "it closes every connection without an answer", .is_nobody = true};
}

}  // namespace

std::string Stranger::text(const std::string& target) const {
  std::string text = is_nobody ? fmt::format("{} cannot be judged: {}", target, what)
                               : fmt::format("{} is no JSON-RPC endpoint: {}", target, what);
  for (const auto& line : advice) text += "\n  " + line;
  return text;
}

bool is_response_to(const json::Value& reply, std::string_view message, bool has_succeeded) {
  if (!reply.is(json::Kind::array)) return is_one_response_to(reply, message, has_succeeded);
  return std::any_of(reply.children().begin(), reply.children().end(), [&](const auto& each) {
    return is_one_response_to(each, message, has_succeeded);
  });
}

bool is_html(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  const std::string_view body = text.substr(begin);
  return begins_ignoring_case(body, "<!doctype html") || begins_ignoring_case(body, "<html");
}

bool is_of_no_json_rpc(std::string_view said) { return manner_of_text(said) != Manner::unclear; }

bool is_response(const HttpAnswer& answer) {
  const auto parsed = json::parse(answer.body, dialogue::kMessageLimits);
  const bool has_succeeded = answer.status >= 200 && answer.status < 300;
  if (!parsed || !is_response_to(*parsed.value, answer.sent, has_succeeded)) return false;
  const bool is_login = answer.status == 401 || answer.status == 403 || answer.status == 407;
  return !is_login || has_looked_at_method(*parsed.value);
}

std::string speaker_named(std::string_view bytes) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kGreetings = {
      {{"SSH-", "an SSH server"},
       {"HTTP/1.", "an HTTP server"},
       {"HTTP/2", "an HTTP server"},
       {"<!doctype html", "a web page"},
       {"<html", "a web page"},
       {"220 ", "a mail or FTP server"},
       {"220-", "a mail or FTP server"},
       {"-ERR ", "a Redis or POP3 server"},
       {"+OK", "a POP3 server"},
       {"* OK", "an IMAP server"},
       {"RFB ", "a VNC server"},
       {"ERROR\r\n", "a memcached server"},
       {std::string_view("\x15\x03", 2), "a TLS server, which wants an encrypted connection"}}};
  const auto* const found = std::find_if(
      kGreetings.begin(), kGreetings.end(),
      [&](const auto& greeting) { return begins_ignoring_case(bytes, greeting.first); });
  if (found != kGreetings.end()) return std::string(found->second);
  // The handshake of MySQL: a length, the number 0, and version 10 of the protocol.
  const bool is_mysql = bytes.size() > 5 && bytes.substr(1, 4) == std::string_view("\0\0\0\x0a", 4);
  return is_mysql ? "a MySQL server" : "";
}

std::optional<Stranger> recognise(const std::vector<HttpAnswer>& answers, const Asking& asking) {
  std::vector<const HttpAnswer*> heard;
  for (const auto& each : answers) {
    if (each.status != 0 || !each.heard.empty()) heard.push_back(&each);
  }
  if (heard.empty()) return recognise_silence(answers, asking);
  if (heard.front()->status == 0) {
    const bool is_strange =
        std::all_of(heard.begin(), heard.end(), [](const auto* each) { return each->status == 0; });
    if (!is_strange) return std::nullopt;
    const auto& bytes = heard.front()->heard;
    if (contains(bytes, "POST /")) return Stranger{.what = "it sends back what it is sent"};
    // HTTP that is broken, and JSON-RPC without HTTP, are for the judge.
    if (contains(bytes, "HTTP/1") || contains(bytes, "jsonrpc")) return std::nullopt;
    const std::string speaker = speaker_named(bytes);
    return Stranger{.what = fmt::format("it is {}, and says {}",
                                        speaker.empty() ? "no HTTP server" : speaker,
                                        to_visible(bytes, kShownOfPage))};
  }
  for (const auto* each : heard) {
    if (manner_of(*each) == Manner::unclear) return std::nullopt;
  }
  return described(manner_of(*heard.front()), *heard.front(), asking.has_credentials);
}

}  // namespace jrpcheck::run
