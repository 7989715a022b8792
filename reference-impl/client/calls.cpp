#include "reference-impl/client/calls.hpp"

#include <algorithm>
#include <optional>

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

// A tree that is deeper than what can be written again is no result (RFC 8259 §9).
std::optional<json> parse(std::string_view text) {
  const auto depth_limit = static_cast<int>(Limits{}.max_depth);
  bool is_too_deep = false;
  const auto look = [&](int depth, json::parse_event_t, json&) {
    is_too_deep = is_too_deep || depth > depth_limit;
    return !is_too_deep;
  };
  json value = json::parse(text, look, /*allow_exceptions=*/false);
  if (is_too_deep || value.is_discarded()) return std::nullopt;
  return value;
}

// What is wrong with a Response; empty: nothing (JSON-RPC 2.0 §5).
std::string fault_of(const json& response) {
  if (response.value("jsonrpc", json()) != "2.0") return "the Response is not of version 2.0";
  const auto error = response.find("error");
  const bool has_error = error != response.end();
  if (has_error == response.contains("result")) {
    return "the Response has not one of result and error";
  }
  if (!has_error) return {};
  const bool is_error = error->is_object() && error->value("code", json()).is_number_integer() &&
                        error->value("message", json()).is_string();
  return is_error ? "" : "the error of the Response is none";
}

}  // namespace

Calls::Id Calls::begin() {
  made_.push_back(static_cast<Id>(made_.size()) + 1);
  return made_.back();
}

std::vector<Calls::Id> Calls::waiting() const {
  std::vector<Id> ids;
  std::copy_if(made_.begin(), made_.end(), std::back_inserter(ids),
               [this](Id id) { return is_waiting(id); });
  return ids;
}

void Calls::fail(const std::vector<Id>& ids, const std::string& reason) {
  for (const Id id : ids) ends_.try_emplace(id, CallEnd{{}, reason});
}

// Numbers match by their value: 2.0 answers 2 (RFC 8259 §6), and "2" does not.
const Calls::Id* Calls::call_with(const json& id) const {
  const auto found = std::find_if(made_.begin(), made_.end(), [&](Id made) {
    return is_waiting(made) && id.is_number() && id == json(made);
  });
  return found == made_.end() ? nullptr : &*found;
}

std::string Calls::take(std::string_view message, const std::vector<Id>& batch) {
  const auto value = parse(message);
  // Nobody can tell which call this was for: to leave one waiting would be worse.
  if (!value) {
    fail_all("what came is not JSON, or too deep");
    return {};
  }
  if (!value->is_array()) return take_element(*value);
  if (batch.empty() || value->empty()) {
    fail_all("an Array came, and no Response");
    return {};
  }
  for (const auto& each : *value) take_element(each);
  fail(batch, "the answer to the batch does not answer this call");
  return {};
}

std::string Calls::take_element(const json& element) {
  if (!element.is_object()) {
    fail_all("what came is not an Object");
    return {};
  }
  if (!element.contains("method")) {
    take_response(element);
    return {};
  }
  // We offer no methods; a Notification is never answered (JSON-RPC 2.0 §4.1).
  if (!element.contains("id")) return {};
  const json error = {{"code", -32601}, {"message", "Method not found"}};
  return json{{"jsonrpc", "2.0"}, {"error", error}, {"id", element["id"]}}.dump();
}

void Calls::take_response(const json& response) {
  const auto id = response.find("id");
  const std::string fault = fault_of(response);
  if (id == response.end() || id->is_null()) {
    // Whoever could not read an id says null (JSON-RPC 2.0 §5).
    fail_all(fault.empty() ? "the server says: " + response.dump() : fault);
    return;
  }
  const Id* call = call_with(*id);
  if (call == nullptr) return;  // nobody has asked, or it has its answer
  if (!fault.empty()) {
    fail({*call}, fault);
  } else if (response.contains("error")) {
    fail({*call}, "the server says: " + response["error"].dump());
  } else {
    ends_[*call] = {response["result"], {}};
  }
}

}  // namespace jrpcheck::reference
