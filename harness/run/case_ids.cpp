#include "run/case_ids.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "dialogue/id_key.hpp"

namespace jrpcheck::run {
namespace {

// Ids small enough for servers that read them into 32 bits, and far from those that cases spell
// out.
constexpr long long kFirstCaseId = 20'000;
constexpr long long kIdsPerCase = 10;
constexpr long long kFirstControlId = 5'000'000;
constexpr long long kControlIdsPerCase = 1000;
constexpr std::string_view kStringIdPrefix = "jrpcheck-";

// Eight letters that differ with the seed, so that no server has the method by accident.
std::string seed_letters(unsigned long long seed) {
  unsigned long long state = seed + 0x9E3779B97F4A7C15U;
  std::string letters;
  for (int i = 0; i < 8; ++i) {
    state ^= state >> 27U;
    state *= 0x94D049BB133111EBU;
    letters.push_back(static_cast<char>('a' + (state >> 40U) % 26));
  }
  return letters;
}

// The case whose id a message carries, where it is one of so many.
std::optional<std::size_t> case_of(const dialogue::Message& message, std::size_t cases) {
  const json::Value* id = message.find("id");
  const auto found = id != nullptr ? ordinal_of_any_id(*id) : std::nullopt;
  return found && *found < cases ? found : std::nullopt;
}

bool is_reply(const dialogue::Event& event) {
  return event.direction == dialogue::Direction::received && !event.is_control;
}

}  // namespace

corpus::Bindings bindings_for(std::size_t ordinal, unsigned long long seed,
                              const corpus::RoleBindings& roles) {
  corpus::Bindings bindings;
  bindings.first_id = kFirstCaseId + static_cast<long long>(ordinal) * kIdsPerCase;
  bindings.string_id =
      std::string(kStringIdPrefix) + std::to_string(ordinal) + "-" + seed_letters(seed);
  bindings.unknown_method = "jrpcheck" + seed_letters(seed);
  bindings.roles = roles;
  return bindings;
}

std::optional<std::size_t> ordinal_of_id(const json::Value& id) {
  std::string_view digits = id.text();
  if (id.is(json::Kind::string)) {
    if (digits.substr(0, kStringIdPrefix.size()) != kStringIdPrefix) return std::nullopt;
    digits.remove_prefix(kStringIdPrefix.size());
  } else if (!id.is(json::Kind::number)) {
    return std::nullopt;
  }
  long long value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (parsed.ec != std::errc() || value < 0) return std::nullopt;
  if (id.is(json::Kind::string)) return static_cast<std::size_t>(value);
  if (value < kFirstCaseId || value >= kFirstControlId) return std::nullopt;
  return static_cast<std::size_t>((value - kFirstCaseId) / kIdsPerCase);
}

std::optional<std::size_t> ordinal_of_any_id(const json::Value& id) {
  if (!id.is(json::Kind::number)) return ordinal_of_id(id);
  long long value = 0;
  const auto& digits = id.text();
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (parsed.ec != std::errc() || value < kFirstControlId) return ordinal_of_id(id);
  return static_cast<std::size_t>((value - kFirstControlId) / kControlIdsPerCase);
}

long long first_control_id(std::size_t ordinal) {
  return kFirstControlId + static_cast<long long>(ordinal) * kControlIdsPerCase;
}

bool has_anothers_answer(const std::vector<dialogue::Exchange>& exchanges,
                         const std::vector<dialogue::Event>& events, std::size_t ordinal,
                         std::size_t cases) {
  for (const auto& exchange : exchanges) {
    for (const auto& reply : exchange.replies) {
      const auto other = case_of(reply, cases);
      if (other && *other != ordinal) return true;
    }
  }
  return std::any_of(events.begin(), events.end(), [&](const auto& event) {
    const bool has_come = event.direction == dialogue::Direction::received ||
                          event.direction == dialogue::Direction::aside;
    return has_come && case_of(dialogue::message_of(event), cases) > ordinal;
  });
}

bool had_reply(const std::vector<dialogue::Event>& events, const json::Value& id) {
  return std::any_of(events.begin(), events.end(), [&](const auto& event) {
    if (!is_reply(event)) return false;
    const dialogue::Message message = dialogue::message_of(event);
    const json::Value* own = message.find("id");
    if (own == nullptr)
      return message.value() != nullptr && dialogue::has_outcome(*message.value());
    return !own->is(json::Kind::string) || json::equal(*own, id);
  });
}

bool had_replies_without_id_alone(const std::vector<dialogue::Event>& events) {
  return std::all_of(events.begin(), events.end(), [](const auto& event) {
    if (!is_reply(event)) return true;
    const dialogue::Message message = dialogue::message_of(event);
    const json::Value* own = message.find("id");
    return own == nullptr || own->is(json::Kind::null);
  });
}

bool had_replies_of_unknown_calls(const std::vector<dialogue::Event>& events) {
  return std::all_of(events.begin(), events.end(), [](const auto& event) {
    return !event.step || !is_reply(event) ||
           dialogue::is_of_unknown_call(dialogue::message_of(event));
  });
}

}  // namespace jrpcheck::run
