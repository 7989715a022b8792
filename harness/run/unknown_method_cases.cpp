#include "run/unknown_method_cases.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/contains.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::run {
namespace {

// The method that nobody has in cases that say how long their bytes are.
constexpr std::string_view kUnknownInFrames = "jrpcheck/no-such-method";

bool is_answered_unknown_method(const corpus::Step& step) {
  return std::ranges::any_of(step.accept, [](const corpus::Outcome& outcome) {
    return outcome.verdict == corpus::Verdict::pass &&
           std::ranges::any_of(outcome.responses, [](const auto& each) {
             return each.error && contains(each.error->codes, -32601);
           });
  });
}

// Whether it calls a method of the specification's Notifications (JSON-RPC 2.0 §7), alone or in a
// batch, that plays none of these roles: few servers have them.
bool calls_example_beside(const corpus::RoleBindings& roles, const json::Value& message) {
  constexpr std::array<std::string_view, 4> kExamples = {"update", "foobar", "notify_hello",
                                                         "notify_sum"};
  const auto calls = [&](const json::Value& one) {
    const std::string& method = json::text_of(one.find("method"));
    return contains(kExamples, method) && std::ranges::none_of(roles, [&](const auto& binding) {
             return binding.second == method;
           });
  };
  return message.is(json::Kind::array) ? std::ranges::any_of(message.children(), calls)
                                       : calls(message);
}

}  // namespace

bool is_owed_unknown_method(const corpus::Case& bound) {
  return std::ranges::any_of(bound.steps, is_answered_unknown_method);
}

bool calls_unknown_method(const corpus::Case& bound, const corpus::Bindings& bindings) {
  if (is_owed_unknown_method(bound)) return true;
  for (const auto& step : bound.steps) {
    for (const auto& message : step.messages) {
      if (contains(message.text(), bindings.unknown_method) ||
          contains(message.text(), kUnknownInFrames)) {
        return true;
      }
      const json::Value* value = message.value();
      if (value != nullptr && calls_example_beside(bindings.roles, *value)) return true;
    }
  }
  return false;
}

}  // namespace jrpcheck::run
