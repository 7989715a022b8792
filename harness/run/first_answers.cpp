#include "run/first_answers.hpp"

#include <algorithm>
#include <array>

#include "base/bytes.hpp"
#include "base/letter_case.hpp"
#include "corpus/corpus.hpp"
#include "corpus/profile.hpp"
#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "judge/code.hpp"
#include "judge/on_the_wire.hpp"
#include "run/control_call.hpp"

namespace jrpcheck::run {
namespace {

bool looks_like_response(const dialogue::Reply& reply) {
  return reply.outline() != nullptr && dialogue::has_outcome(*reply.outline());
}

// Null: the first answer is no error.
const json::Value* first_error(const Exchanges& exchanges) {
  if (exchanges.empty() || exchanges.front().replies.empty()) return nullptr;
  const json::Value* error = exchanges.front().replies.front().find("error");
  return error != nullptr && error->is(json::Kind::object) ? error : nullptr;
}

bool asks_in_words(const json::Value& error) {
  const std::string words = in_lower_case(json::text_of(error.find("message")));
  // The last two are of MCP over HTTP, whose sessions begin with `initialize` as well.
  constexpr std::array<std::string_view, 9> kPhrases = {
      "not initialized",  "not initialised",    "must be initiali",
      "before initiali",  "initialized before", "initialised before",
      "initialize first", "session id",         "session-id"};
  return std::ranges::any_of(
      kPhrases, [&](std::string_view phrase) { return words.find(phrase) != std::string::npos; });
}

}  // namespace

bool asks_for_handshake(const json::Value& error) {
  const json::Value* code = error.find("code");
  if (code != nullptr && code->is(json::Kind::number) && code->text() == "-32002") return true;
  return asks_in_words(error);
}

bool says_it_wants_handshake(const Exchanges& exchanges) {
  const json::Value* error = first_error(exchanges);
  return error != nullptr && judge::code_of(*error) != -32601 && asks_in_words(*error);
}

bool has_array_of_responses(const Exchanges& exchanges) {
  return std::ranges::any_of(exchanges, [](const dialogue::Exchange& exchange) {
    return std::ranges::any_of(exchange.replies, [](const auto& reply) {
      const json::Value* all = reply.outline();
      if (all == nullptr || !all->is(json::Kind::array)) return false;
      const auto& elements = all->children();
      return std::ranges::any_of(elements, dialogue::has_outcome);
    });
  });
}

bool is_invalid_request(const Exchanges& exchanges) {
  if (exchanges.empty() || exchanges.front().replies.empty()) return false;
  const json::Value* response = exchanges.front().replies.front().outline();
  return response != nullptr && judge::error_code_of(*response) == -32600;
}

bool has_response(const Exchanges& exchanges) {
  return std::ranges::any_of(exchanges, [](const dialogue::Exchange& exchange) {
    return std::ranges::any_of(exchange.replies, looks_like_response);
  });
}

std::string limit_met(const Exchanges& exchanges) {
  const auto met = std::ranges::find_if(
      exchanges, [](const dialogue::Exchange& each) { return !each.beyond_limit.empty(); });
  return met == exchanges.end() ? std::string() : met->beyond_limit;
}

bool is_silent(const Exchanges& exchanges) {
  return limit_met(exchanges).empty() &&
         std::ranges::all_of(exchanges, [](const dialogue::Exchange& exchange) {
           return exchange.replies.empty() && exchange.noise.empty() && exchange.http_status == 0 &&
                  exchange.unfinished.empty();
         });
}

bool has_come_to_nothing(const Exchanges& exchanges) {
  return limit_met(exchanges).empty() &&
         std::ranges::all_of(exchanges, [](const dialogue::Exchange& exchange) {
           return exchange.replies.empty() && exchange.noise.empty() && exchange.http_status == 0 &&
                  !judge::is_unframed(exchange);
         });
}

bool is_answered_rightly(const Exchanges& exchanges) {
  if (exchanges.empty() || exchanges.front().replies.empty()) return false;
  return says_method_is_unknown(exchanges.front().replies.front());
}

std::string what_came(const Exchanges& exchanges) {
  if (exchanges.empty()) return "nothing";
  const auto& exchange = exchanges.back();
  std::string text;
  if (exchange.http_status != 0) {
    text = "HTTP " + std::to_string(exchange.http_status);
    if (!exchange.http_content_type.empty()) text += " (" + exchange.http_content_type + ")";
    text += ": ";
  }
  if (!exchange.replies.empty()) return text + to_visible(exchange.replies.front().text(), 300);
  if (!exchange.noise.empty())
    return "output that is no message: " + to_visible(exchange.noise.front().bytes, 300);
  return text + (exchange.detail.empty() ? "an empty answer" : exchange.detail);
}

std::vector<std::string> wanted_handshakes(const Exchanges& exchanges,
                                           const wire::Binding& binding) {
  const json::Value* error = first_error(exchanges);
  if (error == nullptr || !asks_for_handshake(*error)) return {};
  const std::string class_name(binding.requirement_class);
  std::vector<std::string> names;
  for (const auto& profile : corpus::embedded_profiles()) {
    const auto& classes = profile.classes;
    // Its own rules for a binding are a class too: "mcp-http".
    const bool is_spoken_so = std::ranges::any_of(classes, [&](const std::string& each) {
      return each == class_name || each == profile.family + "-" + class_name;
    });
    const bool has_handshake = !profile.opening.empty() && profile.version.empty();
    if (has_handshake && is_spoken_so) names.push_back(profile.name);
  }
  return names;
}

std::string hint_for(const Exchanges& exchanges) {
  const int status = exchanges.empty() ? 0 : exchanges.back().http_status;
  if (status == 401 || status == 403) {
    return " If the server wants credentials, pass them with --header 'Authorization: ...'.";
  }
  if (status == 404 || status == 405) return " Is the path of the URL the one the server serves?";
  if (status == 0) {
    return " If the server wants a handshake first, name it with --opening; if it frames its "
           "messages in a way of its own, with --framing; if it takes longer to come up, give it "
           "the seconds with --start-timeout.";
  }
  return "";
}

}  // namespace jrpcheck::run
