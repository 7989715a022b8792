// Legal methods whose names promise something else, or that take less than could be.
#include <memory>
#include <mutex>
#include <random>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

bool is_call_of(const ElementText& element, std::string_view method) {
  return element.is_sound_call() && element.method() == method;
}

bool passes_by_name(const ElementText& element) {
  return element.params() != nullptr && object_of(*element.params()).has_value();
}

bool passes_by_position(const ElementText& element) {
  return element.params() != nullptr && is_array(*element.params());
}

/// Refuses with -32602 what a known method is passed in a way for which `applies`.
Behaviour refusing_params(bool (*applies)(const ElementText& element)) {
  return on_element([applies](const ElementText& element, const ProperReply& proper) {
    Reply reply = proper(element.text);
    const auto response = reply ? object_of(*reply) : std::nullopt;
    const bool is_known = response && code_of(*response) != "-32601";
    const bool is_refused = is_known && element.is_sound_call() && applies(element);
    return is_refused ? refused(-32602)(element) : reply;
  });
}

/// The arguments of subtract change places.
void turn_round(ObjectText& request) {
  const std::string* params = request.find("params");
  if (!request.is("method", "\"subtract\"") || params == nullptr) return;
  if (is_array(*params)) {
    auto values = elements_of(*params);
    if (values.size() == 2) request.set("params", array_of({values[1], values[0]}));
  } else if (auto named = object_of(*params)) {
    named->rename("minuend", "m");
    named->rename("subtrahend", "minuend");
    named->rename("m", "subtrahend");
    request.set("params", named->text());
  }
}

bool has_usual_numbers(const ElementText& element) {
  const std::string& params = *element.params();
  return params.find("42") != params.npos && params.find("23") != params.npos;
}

Behaviour random_differences() {
  struct Chance {
    std::mutex mutex;
    std::minstd_rand numbers;
  };
  const auto chance = std::make_shared<Chance>();
  return answer(
      [](const ElementText& element) {
        return is_call_of(element, "subtract") && element.params() != nullptr &&
               !has_usual_numbers(element);
      },
      [chance](const ElementText& element) {
        const std::lock_guard lock(chance->mutex);
        return succeeding_with(std::to_string(chance->numbers()))(element);
      });
}

/// An echo that is handed Objects says more than it heard.
Behaviour adding_to_objects() {
  return answer(
      [](const ElementText& element) {
        return is_call_of(element, "echo") && passes_by_name(element);
      },
      [](const ElementText& element) {
        ObjectText params = *object_of(*element.params());
        params.add("echoed", "true");
        return succeeding_with(params.text())(element);
      });
}

}  // namespace

std::span<const Mutant> method_variants() {
  static const Mutant all[] = {
      {"params-by-position-only", kLegal, kEverywhere, "Params by name are refused with -32602.",
       refusing_params(passes_by_name)},
      {"params-by-name-only", kLegal, kEverywhere, "Params by position are refused with -32602.",
       refusing_params(passes_by_position)},
      {"subtract-turned-round", kLegal, kEverywhere,
       "What is called subtract takes the first number from the second.", on_object(turn_round)},
      {"subtract-at-random", kLegal, kEverywhere,
       "What is called subtract gives the difference of 42 and 23, and of others a random number.",
       random_differences},
      {"echo-adds-to-objects", kLegal, kEverywhere,
       "What is called echo adds a member to Objects, and repeats Arrays as they are.",
       adding_to_objects()},
  };
  return all;
}

}  // namespace jrpcheck::reference
