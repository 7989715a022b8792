#include "judge/on_the_wire.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "dialogue/id_key.hpp"
#include "dialogue/message.hpp"
#include "json/parse.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Exchange;
using Messages = std::vector<dialogue::Message>;

bool is_begin_of_header(std::string_view bytes) {
  const std::size_t size = std::min(bytes.size(), std::string_view("content-").size());
  return size > 0 && begins_ignoring_case(bytes, std::string_view("content-").substr(0, size));
}

// The bytes of the first value, when a whole one stands at the beginning; else 0.
std::size_t first_value_size(std::string_view text) {
  const auto all = json::parse(text, dialogue::kMessageLimits);
  if (all) return text.size();
  const std::size_t size = std::min(all.error.offset, text.size());
  return size > 0 && json::parse(text.substr(0, size), dialogue::kMessageLimits) ? size : 0;
}

bool is_whole_message(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  const bool like_json =
      begin != std::string_view::npos && (text[begin] == '{' || text[begin] == '[');
  return like_json && first_value_size(text) > 0;
}

bool is_of_wrong_length(const dialogue::Noise& noise) {
  return noise.violation == wire::kWrongLength;
}

bool has_wrong_length(const dialogue::Reply& wrong, const Exchange& exchange) {
  if (wrong.value() != nullptr) return false;
  const std::string& reply = wrong.text();
  const std::size_t size = first_value_size(reply);
  if (size > 0 && is_begin_of_header(std::string_view(reply).substr(size))) return true;
  if (first_value_size(reply + exchange.unfinished) > reply.size()) return true;
  const std::string behind = reply.substr(size);
  return std::ranges::any_of(exchange.noise, [&](const auto& noise) {
    const bool begins_next =
        size > 0 && is_of_wrong_length(noise) && noise.bytes.starts_with(behind);
    return begins_next || first_value_size(reply + noise.bytes) > reply.size();
  });
}

bool judge_lengths(const Exchange& exchange, const wire::Binding& binding, Charger& charger) {
  bool wrong = false;
  for (const auto& reply : exchange.replies) {
    if (!has_wrong_length(reply, exchange)) continue;
    charger.drop("res-json", {Symptom::reply_not_json, Symptom::reply_not_utf8});
    charger.charge(binding.wrong_length, {Symptom::length_wrong, "the size of the message in bytes",
                                          to_visible(reply.text())});
    wrong = true;
  }
  const auto shown = std::ranges::find_if(exchange.noise, is_of_wrong_length);
  if (wrong || shown == exchange.noise.end()) return wrong;
  Fault fault{Symptom::framing_broken, "the size of the message in bytes",
              to_visible(shown->bytes)};
  fault.particulars = shown->violation;
  charger.charge(binding.wrong_length, std::move(fault));
  return true;
}

void judge_lines(const Exchange& exchange, const wire::Binding& binding, Charger& charger) {
  for (const auto& reply : exchange.replies) {
    if (!reply.in_several_lines) continue;
    charger.charge(binding.several_lines, {Symptom::message_in_several_lines, "one line a message",
                                           to_visible(reply.text())});
  }
}

// Each rule that is broken, once.
void judge_violations(const Exchange& exchange, const wire::Binding& binding, Charger& charger) {
  std::vector<std::string_view> charged;
  for (const auto& noise : exchange.noise) {
    const std::string_view requirement = binding.charge_of(noise.violation);
    if (contains(charged, requirement)) continue;
    charged.push_back(requirement);
    Fault fault{Symptom::framing_broken, "frames as RFC 6455 has them", to_visible(noise.bytes)};
    if (noise.violation.empty()) {
      fault = {Symptom::not_a_message, "messages and nothing else " + std::string(binding.place),
               to_visible(noise.bytes)};
    }
    fault.particulars = noise.violation;
    charger.charge(requirement, std::move(fault));
  }
}

void drop_silence(Charger& charger) {
  charger.drop("res-always", {Symptom::unanswered, Symptom::connection_dropped});
}

// By an id of what was sent, or without one where that has none: programs print answers to earlier
// calls as well. Whose ids nobody can read may have any.
bool may_answer(const dialogue::Message& message, const Messages& sent) {
  if (!dialogue::holds_response(message)) return false;
  std::vector<std::string> ids;
  for (const auto& each : sent) {
    if (each.value() == nullptr) return true;
    for (auto& key : dialogue::id_keys_of(each)) ids.push_back(std::move(key));
  }
  const auto keys = dialogue::id_keys_of(message);
  if (keys.empty()) return ids.empty();
  return std::ranges::any_of(keys, [&](const auto& key) { return contains(ids, key); });
}

bool ends_in_answer(const std::string& line, const Messages& sent) {
  const auto message = message_within(line);
  return message && may_answer(*message, sent);
}

void judge_noise(const Exchange& exchange, const Messages& sent, const wire::Binding& binding,
                 Charger& charger) {
  if (exchange.noise.empty()) return;
  const bool has_come = exchange.replies.empty() && !binding.several_lines.empty() &&
                        std::ranges::any_of(exchange.noise, [&](const auto& noise) {
                          return noise.violation.empty() && ends_in_answer(noise.bytes, sent);
                        });
  if (has_come) drop_silence(charger);
  if (binding.charge_of != nullptr) return judge_violations(exchange, binding, charger);
  const auto& first = exchange.noise.front();
  const bool broken_head =
      !binding.broken_head.empty() && begins_ignoring_case(first.bytes, "content-");
  Fault fault{first.violation.empty() ? Symptom::not_a_message : Symptom::framing_broken,
              "messages and nothing else " + std::string(binding.place), to_visible(first.bytes)};
  fault.particulars = first.violation;
  if (exchange.noise.size() > 1) {
    fault.particulars +=
        (fault.particulars.empty() ? "" : ", ") + std::to_string(exchange.noise.size()) + " times";
  }
  charger.charge(broken_head ? binding.broken_head : binding.noise, std::move(fault));
}

}  // namespace

std::optional<dialogue::Message> message_within(const std::string& line) {
  constexpr int kMostBeginnings = 4;  // of text that may have brackets of its own
  auto at = line.find_first_of("{[");
  for (int i = 0; i < kMostBeginnings && at != line.npos; ++i) {
    dialogue::Message behind(line.substr(at));
    if (behind.value() != nullptr) return behind;
    at = line.find_first_of("{[", at + 1);
  }
  return std::nullopt;
}

bool is_unframed(const Exchange& exchange) {
  return exchange.replies.empty() && is_whole_message(exchange.unfinished);
}

bool shows_wrong_length(const Exchange& exchange) {
  return std::ranges::any_of(exchange.replies,
                             [&](const auto& reply) { return has_wrong_length(reply, exchange); });
}

bool has_lost_its_place(const Exchange& exchange, const wire::Binding& binding) {
  if (std::ranges::any_of(exchange.noise, is_of_wrong_length)) return true;
  return binding.has_lengths_alone() && shows_wrong_length(exchange);
}

void judge_framing(const Exchange& exchange, const Messages& sent, const wire::Binding& binding,
                   Charger& charger) {
  if (is_unframed(exchange)) {
    drop_silence(charger);
    const Symptom symptom = !binding.several_lines.empty() ? Symptom::line_feed_missing
                            : !binding.broken_head.empty() ? Symptom::header_missing
                                                           : Symptom::framing_broken;
    charger.charge(binding.unframed.requirement, {symptom, std::string(binding.unframed.expected),
                                                  to_visible(exchange.unfinished)});
    return;
  }
  judge_lines(exchange, binding, charger);
  if (!binding.wrong_length.empty() && judge_lengths(exchange, binding, charger)) return;
  judge_noise(exchange, sent, binding, charger);
}

void observe_messages(const Exchange& exchange, Judgement& judgement) {
  for (const auto& reply : exchange.replies) {
    const json::Value* error = reply.find("error");
    const json::Value* code = error != nullptr ? error->find("code") : nullptr;
    const json::Value* message = error != nullptr ? error->find("message") : nullptr;
    if (code == nullptr || message == nullptr || !message->is(json::Kind::string)) continue;
    judgement.observe("message of error " + json::write(*code), to_visible(message->text(), 200));
  }
}

}  // namespace jrpcheck::judge
