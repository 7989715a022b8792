// Answers as they are compared: what two Responses must have in common to say the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialogue/exchange.hpp"
#include "json/value.hpp"

namespace jrpcheck::properties {

/// One Response. Messages and data of errors are for people, and may differ.
struct Answer {
  json::Value id;
  bool is_error = false;
  json::Value content;  ///< the result, or the code of the error
};

bool same_content(const Answer& a, const Answer& b);
bool same(const Answer& a, const Answer& b);

/// Nothing where the value is no Response with either a result or an error that has a code.
std::optional<Answer> answer_in(const json::Value& value);
/// Nothing where what came back is not one such Response.
std::optional<Answer> answer_in(const dialogue::Exchange& exchange);
/// The elements of the one Array that came back; nothing where it is none, or holds anything else.
std::optional<std::vector<Answer>> batch_in(const dialogue::Exchange& exchange);
/// The Responses that came back as messages of their own, likewise.
std::optional<std::vector<Answer>> answers_in(const dialogue::Exchange& exchange);

/// Whether each of `some` is among `all`, as often.
bool contains(const std::vector<Answer>& all, const std::vector<Answer>& some);

/// What came back, for people.
std::string described(const dialogue::Exchange& exchange);
std::string described(const Answer& answer);
std::string described(const std::vector<Answer>& answers);

}  // namespace jrpcheck::properties
