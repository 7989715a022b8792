// Patterns held against what came back: where exactly do they differ?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "json/value.hpp"
#include "judge/symptom.hpp"

namespace jrpcheck::judge {

/// The parts of a reply that can be wrong; the keys of `charge` in a case file.
enum class Part { silence, reply, id, kind, envelope, code, result, shape, count, close };

std::string_view name_of(Part part);

/// Where in a Response the part stands: a JSON pointer.
std::string_view pointer_of(Part part);

struct Mismatch {
  Part part;
  Symptom symptom;
  std::string expected;
  std::string actual;
  /// The id, as it is written, of the call in a batch whose Response is wrong, where it is known.
  std::string call = {};
  /// What to charge when the case does not say; empty: the part decides.
  std::string requirement = {};
  bool missing = false;                  ///< one of several Responses did not come
  std::vector<std::string> habits = {};  ///< names of habits this may be due to (habit.hpp)
  bool tells_another_stage = false;      ///< a code that says what the Request was taken for
  bool explains_id = false;              ///< a refusal as no Request, and therefore id null
  bool has_null_id = false;              ///< an error, where another id is due
};

/// How a reply differs from a pattern. What an envelope rule has charged already is not a mismatch
/// again: it only leaves that part unjudged.
struct Comparison {
  std::vector<Mismatch> mismatches;
  std::optional<std::string> unjudged;           ///< why a part could not be compared
  std::vector<const json::Value*> surplus = {};  ///< of several Responses those that are too many

  bool matches() const { return mismatches.empty(); }
};

/// Whether the Response that the pattern describes may carry this id.
bool accepts_id(const corpus::ResponsePattern& pattern, const json::Value& id);

/// One Response Object against its pattern.
Comparison compare_response(const corpus::ResponsePattern& pattern, const json::Value& response);

/// Several Responses against several patterns in any order: an unordered multiset (JSON-RPC 2.0
/// §6).
Comparison compare_responses(const std::vector<corpus::ResponsePattern>& patterns,
                             const std::vector<const json::Value*>& responses);

/// The elements of an Array likewise. One that is no Object stands in place of a Response that is
/// missing, or is too many.
Comparison compare_elements(const std::vector<corpus::ResponsePattern>& patterns,
                            const json::Value& array);

/// The pattern for people: "error -32600 with id null".
std::string describe(const corpus::ResponsePattern& pattern);
std::string describe(const corpus::Outcome& outcome);
/// Of the Array that answers a batch: "an Array of 1 (error -32601 with id 1)".
std::string describe_array(const std::vector<corpus::ResponsePattern>& patterns);

}  // namespace jrpcheck::judge
