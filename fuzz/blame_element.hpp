// What is wrong with the answer to one Request, alone or as an element of a batch: what that is
// about, and what it is charged to.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/expected_response.hpp"
#include "json/value.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::fuzz {

// How findings say what they are about.
inline constexpr std::string_view kSpecialId = "Request with id ";
inline constexpr std::string_view kSharedId = "calls that share an id";
inline constexpr std::string_view kOfUnknownMethod = "notification of an unknown method";
/// Between several that it may be about.
inline constexpr std::string_view kBetween = "; ";

/// The kind without what is particular about it.
std::string plain(const std::string& kind);

/// Who answers no call answers none whatever its method is.
std::string about_silence(const ExpectedResponse& element, const json::Value& sent);

/// What became of an id tells its fault, whatever Request it stood in.
std::string about_id(const json::Value& sent, const json::Value& response);

/// Who takes for a Request what is none answers with the id of that: the same fault.
bool follows_from_the_code(const ExpectedResponse& element);

/// Only of some names it is known that no server has them; of others the answer may say it.
bool is_of_unknown_method(const ExpectedResponse& element, const json::Value& sent,
                          const json::Value* response, const Traits& traits);

/// Whoever serves what is no Request, or looks its method up and does not find it, makes one
/// mistake: what comes of that depends on the method, which is not at fault. But who calls it no
/// JSON, or breaks of it, does something else.
void recognise_misreading(const ExpectedResponse& element, const json::Value& response,
                          judge::Finding& finding);

/// Whether it fails, and is about one Request and its answer.
bool is_of_an_element(const judge::Finding& finding);

}  // namespace jrpcheck::fuzz
