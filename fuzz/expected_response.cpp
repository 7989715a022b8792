#include "fuzz/expected_response.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/contains.hpp"
#include "dialogue/id_key.hpp"
#include "fuzz/exact_names.hpp"
#include "fuzz/protocol.hpp"
#include "json/contested.hpp"
#include "json/number.hpp"

namespace jrpcheck::fuzz {
namespace {

using Answer = ExpectedResponse::Answer;
using Nature = ExpectedResponse::Nature;
using json::Kind;
using json::Value;

constexpr long long kInvalidRequest = -32600;
constexpr long long kInvalidParams = -32602;
constexpr long long kMethodNotFound = -32601;

template <typename... Values>
std::vector<Value> ids(Values&&... values) {
  std::vector<Value> all;
  all.reserve(sizeof...(values));
  (all.push_back(std::forward<Values>(values)), ...);
  return all;
}

bool is_one_of_four(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames = {"jsonrpc", "method", "params", "id"};
  return contains(kNames, name);
}

bool has_extra_member(const Value& object) {
  return !std::all_of(object.names().begin(), object.names().end(), is_one_of_four);
}

bool begins_with_marker(std::string_view method) {
  return method.substr(0, kUnknownMethod.size()) == kUnknownMethod;
}

ExpectedResponse open_element(std::string kind, Nature nature = Nature::other) {
  return {.nature = nature, .kind = std::move(kind)};
}

// What is refused as no Request: with id null or, where the id can be read, with that.
ExpectedResponse invalid_element(Nature nature, std::string kind, std::string requirement,
                                 const Value* id) {
  ExpectedResponse element = open_element(std::move(kind), nature);
  element.requirement = std::move(requirement);
  std::vector<Value> allowed = ids(Value::null());
  const bool readable = id != nullptr && (id->is(Kind::string) || id->is(Kind::number));
  if (readable) allowed.push_back(id->clone());
  element.response = error_with({kInvalidRequest}, std::move(allowed));
  element.answer = Answer::due;
  if (id == nullptr) {
    element.answer = Answer::may_be_left_out;
    element.silence = corpus::Verdict::warn;
  }
  return element;
}

bool is_whole_and_plain(const Value& id) {
  return id.text().find_first_of(".eE") == std::string::npos && json::is_integer(id.text());
}

bool is_plain_text(std::string_view id) {
  constexpr std::size_t kLong = 256;
  const auto is_plain = [](char each) {
    return each >= ' ' && each <= '~' && each != '"' && each != '\\';
  };
  const bool has_space_outside = id.starts_with(' ') || id.ends_with(' ');
  return id.size() < kLong && !has_space_outside && std::ranges::all_of(id, is_plain);
}

// A number that is cut, a String that is, and an id that is none and comes back, are the same fault
// in whatever they stand.
std::string requirement_of_id(const Value& id) {
  if (id.is(Kind::null)) return {};
  if (id.is(Kind::string)) return is_plain_text(id.text()) ? "" : "id-string-exact";
  if (!id.is(Kind::number)) return "req-id-type";
  if (is_whole_and_plain(id)) return {};
  return json::is_integer(id.text()) ? "id-echo" : "id-fraction";
}

// Anything that makes the Object no Request (JSON-RPC 2.0 §4); nothing when it is one.
std::optional<ExpectedResponse> invalid_object(const Value& object) {
  const Value* version = object.find("jsonrpc");
  const Value* method = object.find("method");
  const Value* id = object.find("id");
  const bool bad_id =
      id != nullptr && !id->is(Kind::null) && !id->is(Kind::string) && !id->is(Kind::number);
  const Value* readable = bad_id ? nullptr : id;
  const auto invalid = [&](std::string kind, std::string requirement) {
    ExpectedResponse element =
        invalid_element(Nature::invalid_request, "invalid Request: " + std::move(kind),
                        std::move(requirement), readable);
    if (bad_id) element.answer = Answer::due;
    if (id != nullptr) {
      element.id_requirement = requirement_of_id(*id);
      element.unanswered = charge_of_silence(*id);
    }
    return element;
  };
  if (!version->is(Kind::string) || version->text() != "2.0") {
    return invalid("wrong version", "req-version");
  }
  if (method == nullptr) return invalid("no method", "req-method-required");
  if (!method->is(Kind::string)) return invalid("method is no String", "req-method-string");
  if (bad_id) return invalid("id of a wrong type", "req-id-type");
  return std::nullopt;
}

// Params that are no structure are refused in more than one way, and may even be overlooked.
ExpectedResponse with_odd_params(const Value& object, const Value* id) {
  ExpectedResponse element =
      open_element(object.find("params")->is(Kind::null) ? "params null" : "params of a wrong type",
                   Nature::odd_params);
  element.requirement = "req-params-structured";
  element.response = response_with(ids(Value::null()));
  if (id != nullptr && !id->is(Kind::null)) element.response.id.any_of.push_back(id->clone());
  if (id != nullptr) {
    element.id_requirement = requirement_of_id(*id);
    element.unanswered = charge_of_silence(*id);
  }
  element.answer = id != nullptr ? Answer::due : Answer::may_be_left_out;
  return element;
}

ExpectedResponse notification(const Value& object, const Traits& traits) {
  const bool unknown = begins_with_marker(object.find("method")->text());
  ExpectedResponse element =
      unknown ? open_element("notification of an unknown method", Nature::notification_of_unknown)
              : open_element("notification", Nature::notification);
  element.requirement = unknown ? "ntf-silent-unknown-method" : "ntf-silent";
  element.answer = Answer::none;
  // What is beyond the four members may be refused, and so may what a dialect does not allow, and
  // a name of no letters: what is refused as no Request is no Notification either.
  const bool refusable = has_extra_member(object) || object.find("method")->text().empty();
  // Over HTTP what a protocol cannot accept is refused by a status, and a body may say why (MCP
  // 2025-11-25 Transports § Sending Messages to the Server). Which params it accepts is its own.
  const bool may_not_be_accepted =
      traits.protocol && traits.binding->pairs_replies && knows_its_messages(*traits.protocol);
  if (refusable || traits.is_dialect || may_not_be_accepted) element.answer = Answer::anything;
  return element;
}

// Empty: any. Where a used id is refused its error has another code.
std::vector<long long> codes_of_unknown(const Traits& traits) {
  if (traits.refuses_used_ids) return {};
  std::vector<long long> codes = {kMethodNotFound};
  if (!traits.protocol || !traits.protocol->law) return codes;
  return corpus::with_other_codes(std::move(codes), traits.protocol->law->profile.other_codes);
}

// To who takes params by position alone.
bool may_be_no_call(const Value& object, const Traits& traits) {
  const Value* params = object.find("params");
  return params != nullptr && params->is(Kind::object) && traits.protocol && traits.protocol->law &&
         traits.protocol->law->profile.params_by_position;
}

ExpectedResponse call(const Value& object, const Value& id, const Traits& traits) {
  const std::string& method = object.find("method")->text();
  const bool unknown = begins_with_marker(method);
  const bool known = contains(traits.methods, method);
  ExpectedResponse element =
      open_element(unknown ? "call of an unknown method" : "call", Nature::call);
  element.requirement = unknown ? "err-code-method" : "res-always";
  element.answer = Answer::due;
  element.call_id = &id;
  if (unknown) {
    auto codes = codes_of_unknown(traits);
    // JSON-RPC 2.0 §4 discourages null as an id: who refuses it calls the Request invalid.
    if (id.is(Kind::null) && !codes.empty()) codes.push_back(kInvalidRequest);
    element.response = error_with(std::move(codes), ids(id.clone()));
  } else {
    element.response = response_with(ids(id.clone()));
    if (!known && !id.is(Kind::null)) {
      element.response.id.any_of.push_back(Value::null());
      element.id_requirement = "id-echo";
    }
  }
  if (may_be_no_call(object, traits)) {
    auto codes = codes_of_unknown(traits);
    if (!codes.empty()) codes.insert(codes.end(), {kInvalidRequest, kInvalidParams});
    element.response = unknown ? error_with(std::move(codes), ids(id.clone(), Value::null()))
                               : response_with(ids(id.clone(), Value::null()));
  }
  if (id.is(Kind::null)) element.requirement = "id-null-request";
  const bool has_parts = id.is(Kind::number) && !is_whole_and_plain(id);
  const bool refusable = has_parts || (id.is(Kind::number) && id.text() == "-0");
  if (auto exact = requirement_of_id(id); !exact.empty()) element.id_requirement = std::move(exact);
  if (has_parts) {
    element.kind += " with a fraction or an exponent in its id";
  } else if (id.is(Kind::null)) {
    element.kind += " with id null";
  }
  element.unanswered = charge_of_silence(id);
  if (refusable || has_extra_member(object)) {
    element.response = response_with(ids(id.clone(), Value::null()));
    // Refused or served, it is a Request: an id that is neither is no matter of invalid ones.
    if (element.id_requirement.empty() && !id.is(Kind::null)) element.id_requirement = "id-echo";
  }
  return element;
}

// In a dialect only the plainest call is certain to be answered, and as the specification says.
bool is_plain_in_dialect(const Value& object, const Value* id) {
  const Value* params = object.find("params");
  return id != nullptr && !id->is(Kind::null) &&
         (id->is(Kind::string) || is_whole_and_plain(*id)) &&
         (params == nullptr || params->is(Kind::object)) && !has_extra_member(object);
}

ExpectedResponse object_element(const Value& object, const Traits& traits) {
  const Value* version = object.find("jsonrpc");
  const bool legacy =
      version == nullptr || (version->is(Kind::string) && version->text().substr(0, 1) == "1");
  if (has_folded_member(object) && !has_folded_method(object) && !has_folded_twins(object)) {
    ExpectedResponse element = open_element("member in other case");
    element.may_be_1_0 = legacy;
    return element;
  }
  if (legacy) {
    ExpectedResponse element = open_element("version of 1.0 or none");
    element.may_be_1_0 = true;
    // {} and {"foo": 1} are no Request in any dialect, but may be dropped.
    return element;
  }
  if (object.find("method") == nullptr && dialogue::has_outcome(object)) {
    return open_element("Response");
  }
  if (auto invalid = invalid_object(object)) {
    if (traits.is_dialect) invalid->answer = Answer::anything;
    return *std::move(invalid);
  }
  const Value* id = object.find("id");
  const Value* params = object.find("params");
  if (traits.is_dialect && !is_plain_in_dialect(object, id)) return open_element("Request");
  if (params != nullptr && !params->is(Kind::array) && !params->is(Kind::object)) {
    return with_odd_params(object, id);
  }
  return id == nullptr ? notification(object, traits) : call(object, *id, traits);
}

// Beside others in a batch nothing more is said of such names than that they are odd.
ExpectedResponse with_loose_answers(ExpectedResponse element, const Value& object,
                                    const Traits& traits) {
  if (element.answer != Answer::due || traits.is_dialect || traits.protocol) return element;
  element.loose = loose_answers(object, traits);
  if (has_folded_twins(object)) element.kind += " with a member twice in different case";
  return element;
}

// Whichever of its versions a reader goes by, it is 2.0: the answer is no Response of 1.0.
bool is_surely_2_0(const Value& value) {
  if (!value.is(Kind::object) || value.find("jsonrpc") == nullptr) return false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Value& member = value.children()[i];
    if (value.names()[i] != "jsonrpc") continue;
    if (!member.is(Kind::string) || member.text() != "2.0") return false;
  }
  return true;
}

}  // namespace

// null, 0 and "" are ids that a reader takes for none when it asks for their truth (JSON-RPC 2.0
// §4).
std::string charge_of_silence(const Value& id) {
  if (id.is(Kind::null)) return "id-null-request";
  const bool is_empty = id.is(Kind::string) && id.text().empty();
  const bool is_zero = id.is(Kind::number) && json::canonical_number(id.text()).find_first_not_of(
                                                  "-0") == std::string::npos;
  return is_empty || is_zero ? "id-zero-and-empty" : "";
}

std::string name_of_id(const Value& id) {
  if (!id.is(Kind::number)) return std::string(json::name_of(id.kind()));
  if (is_whole_and_plain(id)) return "whole Number";
  return json::is_integer(id.text()) ? "whole Number with an exponent" : "fraction";
}

corpus::ResponsePattern response_with(std::vector<Value> ids) {
  corpus::ResponsePattern pattern;
  pattern.id.any_of = std::move(ids);
  return pattern;
}

corpus::ResponsePattern error_with(std::vector<long long> codes, std::vector<Value> ids) {
  corpus::ResponsePattern pattern = response_with(std::move(ids));
  pattern.error = corpus::ErrorPattern{std::move(codes), {}};
  return pattern;
}

corpus::ResponsePattern clone(const corpus::ResponsePattern& pattern) {
  corpus::ResponsePattern copy;
  for (const auto& id : pattern.id.any_of) copy.id.any_of.push_back(id.clone());
  copy.error = pattern.error;
  return copy;
}

ExpectedResponse expected_response_to(const Value& value, const Traits& traits) {
  if (json::is_contested(value)) {
    ExpectedResponse element = open_element("contested JSON");
    element.may_be_1_0 = !is_surely_2_0(value);
    return element;
  }
  return expected_response_to_uncontested(value, traits);
}

ExpectedResponse expected_response_to_uncontested(const Value& value, const Traits& traits) {
  if (value.is(Kind::object)) {
    return with_loose_answers(object_element(value, traits), value, traits);
  }
  const bool is_array = value.is(Kind::array);
  ExpectedResponse element =
      invalid_element(is_array ? Nature::array : Nature::primitive,
                      is_array ? "Array" : "primitive", "err-code-invalid", nullptr);
  if (traits.is_dialect) element.answer = Answer::anything;
  return element;
}

}  // namespace jrpcheck::fuzz
