#include "fuzz/clients/scenario_file.hpp"

#include <fmt/format.h>

#include "base/join.hpp"
#include "base/utf8.hpp"
#include "json/writer.hpp"

namespace jrpcheck::fuzz {
namespace {

std::string as_json(const std::string& text) { return json::write(json::Value::string(text)); }

// What is no text is written as its bytes.
std::string answer_in_file(const std::string& answer) {
  if (is_valid_utf8(answer)) return as_json(answer);
  std::string hex;
  for (const unsigned char byte : answer)
    hex += fmt::format("{}{:02x}", hex.empty() ? "" : " ", byte);
  return "{\"parts\": [{\"hex\": " + as_json(hex) + "}]}";
}

}  // namespace

std::string scenario_file(const corpus::Scenario& scenario) {
  const std::string outcomes = joined(
      scenario.accept, ", ", [](const auto each) { return as_json(std::string(name_of(each))); });
  return fmt::format(
      R"({{
  "$schema": "scenario.schema.json",
  "about": "What a campaign of jrpcheck fuzz --client has found.",
  "role": "client",
  "scenarios": [
    {{
      "id": {},
      "title": {},
      "requirements": [{}],
      "answer": [{}],
      "then": {},
      "accept": [{}],
      "others-may-fail": true
    }}
  ]
}}
)",
      as_json(scenario.id), as_json(scenario.title), as_json(scenario.requirements.front()),
      answer_in_file(scenario.answer.front()), as_json(scenario.then), outcomes);
}

}  // namespace jrpcheck::fuzz
