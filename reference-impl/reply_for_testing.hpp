// What tests say about replies: one short line for each, envelope checked, texts of errors left
// out.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/dispatcher.hpp"
#include "reference-impl/methods.hpp"

namespace jrpcheck::reference {

inline std::string outline_of_response(const nlohmann::json& response) {
  const auto malformed = [&response] { return "malformed: " + response.dump(); };
  if (!response.is_object() || response.size() != 3 || !response.contains("id") ||
      response.value("jsonrpc", "") != "2.0") {
    return malformed();
  }
  const std::string addressee = " for " + response["id"].dump();
  if (response.contains("result")) return response["result"].dump() + addressee;

  const nlohmann::json error = response.value("error", nlohmann::json());
  const bool is_error_object = error.is_object() && error.contains("code") &&
                               error["code"].is_number_integer() && error.contains("message") &&
                               error["message"].is_string();
  if (!is_error_object) return malformed();
  return "error " + error["code"].dump() + addressee;
}

/// `19 for 1`, `error -32601 for "a"`, `[7 for 1, error -32600 for null]` or `silence`.
inline std::string outline(const std::optional<std::string>& reply) {
  if (!reply) return "silence";
  const auto json = nlohmann::json::parse(*reply, nullptr, /*allow_exceptions=*/false);
  if (!json.is_array()) return outline_of_response(json);
  std::string outlines;
  for (const auto& response : json) {
    outlines += (outlines.empty() ? "" : ", ") + outline_of_response(response);
  }
  return "[" + outlines + "]";
}

/// The reply of a fresh reference server to `message`.
inline std::optional<std::string> ask(std::string_view message) {
  return make_reference_dispatcher().handle(message);
}

}  // namespace jrpcheck::reference
