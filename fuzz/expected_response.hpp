// ExpectedResponse: what one Request, or what stands in place of one, deserves as an answer.
#pragma once

#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "fuzz/expectation.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

struct ExpectedResponse {
  enum class Nature {
    call,
    notification,             ///< of a method that may be there
    notification_of_unknown,  ///< of a method that no server has
    odd_params,               ///< a Request whose params are no structure
    invalid_request,          ///< an Object that is no Request
    array,
    primitive,
    other,  ///< what may be taken in more than one way
  };
  enum class Answer { due, may_be_left_out, none, anything };

  Nature nature = Nature::other;
  std::string kind;  ///< the same in words, with what is special about it
  Answer answer = Answer::anything;
  corpus::ResponsePattern response = {};  ///< where one is due or may be left out
  /// What it means when it is left out.
  corpus::Verdict silence = corpus::Verdict::pass;
  std::string requirement = "rob-survives";  ///< what it is about
  std::string id_requirement = {};           ///< charged for a wrong id, where it is not the usual
  std::string unanswered = {};               ///< charged for silence, where it is not the usual
  bool may_be_1_0 = false;
  const json::Value* call_id = nullptr;  ///< of a call, for those that share it
  bool shares_its_id = false;            ///< with another call of its batch
  /// Answers to it alone that are right in form, and show that names are matched loosely.
  std::vector<corpus::Outcome> loose = {};

  bool is_call() const { return nature == Nature::call; }
  bool is_notification() const {
    return nature == Nature::notification || nature == Nature::notification_of_unknown;
  }
  bool is_array() const { return nature == Nature::array; }
  bool is_faulty() const {
    return nature == Nature::odd_params || nature == Nature::invalid_request ||
           nature == Nature::array || nature == Nature::primitive;
  }
};

/// `value` must outlive the element.
ExpectedResponse expected_response_to(const json::Value& value, const Traits& traits);
/// The same of what is known not to be contested (json/contested.hpp).
ExpectedResponse expected_response_to_uncontested(const json::Value& value, const Traits& traits);

/// The same for each element of an Array, as they stand beside each other.
std::vector<ExpectedResponse> expected_responses_to(const json::Value& batch, const Traits& traits);

/// What silence to a Request with this id is charged to, where a reader may take the id for none;
/// else nothing.
std::string charge_of_silence(const json::Value& id);

/// What kind of id this is, for people: "null", "fraction".
std::string name_of_id(const json::Value& id);

/// A pattern with these ids.
corpus::ResponsePattern response_with(std::vector<json::Value> ids);
corpus::ResponsePattern error_with(std::vector<long long> codes, std::vector<json::Value> ids);
corpus::ResponsePattern clone(const corpus::ResponsePattern& pattern);

}  // namespace jrpcheck::fuzz
