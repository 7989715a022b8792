#include "judge/pattern.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/contains.hpp"
#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "judge/code.hpp"
#include "judge/envelope.hpp"
#include "judge/habit.hpp"

namespace jrpcheck::judge {
namespace {

using corpus::ErrorPattern;
using corpus::ResponsePattern;
using json::Kind;

// Whose fault a wrong id is depends on what it had to be (JSON-RPC 2.0 §5).
std::string id_requirement(const ResponsePattern& pattern) {
  const auto& ids = pattern.id.any_of;
  const auto nulls =
      std::ranges::count_if(ids, [](const json::Value& id) { return id.is(Kind::null); });
  if (nulls == 0) return "id-echo";
  return ids.size() == 1 ? "id-null-undetectable" : "id-invalid-request";
}

bool has_null_for_id(const ResponsePattern& pattern, const json::Value& response) {
  const json::Value* id = response.find("id");
  return id != nullptr && id->is(Kind::null) && !accepts_id(pattern, *id);
}

// A Request that is refused as none, or as no JSON, is rightly refused with id null (JSON-RPC 2.0
// §5): then the refusal is the fault, and not the id as well. But who refuses other Requests so and
// echoes their ids has lost this one: the habit is another.
bool is_refused_with_null(const ResponsePattern& pattern, const json::Value& response) {
  const auto code = error_code_of(response);
  return (code == -32700 || code == -32600) && has_null_for_id(pattern, response);
}

bool refusal_explains_id(const Comparison& comparison) {
  return std::ranges::any_of(comparison.mismatches,
                             [](const Mismatch& each) { return each.explains_id; });
}

void compare_id(const ResponsePattern& pattern, const json::Value& response, Comparison& out) {
  const json::Value* id = response.find("id");
  if (id == nullptr && pattern.id.or_none) return;
  if (id == nullptr) {
    out.unjudged = "the Response has no id to compare";
  } else if (!refusal_explains_id(out) && !accepts_id(pattern, *id)) {
    out.mismatches.push_back({Part::id, Symptom::wrong_id, describe(pattern), shown(response), "",
                              id_requirement(pattern), false, id_habits(pattern, *id)});
  }
}

bool accepts_code(const ErrorPattern& pattern, long long code) {
  const auto in = [code](const std::vector<long long>& codes) { return contains(codes, code); };
  return (pattern.codes.empty() || in(pattern.codes)) && !in(pattern.codes_not);
}

void compare_error(const ResponsePattern& pattern, const json::Value& response,
                   const json::Value& error, Comparison& out) {
  // Any error will do, also one of JSON-RPC 1.0, where an error may be of any type.
  if (pattern.error->codes.empty() && pattern.error->codes_not.empty()) return;
  const auto code = code_of(error);
  if (!code) {
    out.unjudged = "the error has no integer code to compare";
  } else if (!accepts_code(*pattern.error, *code)) {
    const bool id_is_lost = is_refused_with_null(pattern, response);
    const std::string came = "error " + std::to_string(*code) + (id_is_lost ? " with id null" : "");
    out.mismatches.push_back(
        {Part::code, id_is_lost ? Symptom::wrong_code_and_null_id : Symptom::wrong_code,
         describe(pattern), shown(response), "", "", false, reply_habits(pattern, came),
         tells_another_stage(*code), id_is_lost, has_null_for_id(pattern, response)});
  }
}

// A failure for a result, or the reverse.
Mismatch other_kind(const ResponsePattern& pattern, const json::Value& response, bool failed) {
  const bool id_is_lost = failed && is_refused_with_null(pattern, response);
  const Symptom symptom = pattern.error ? Symptom::call_succeeded
                          : id_is_lost  ? Symptom::call_failed_and_null_id
                                        : Symptom::call_failed;
  const std::string_view came = id_is_lost ? "error with id null" : failed ? "error" : "result";
  return {Part::kind, symptom, describe(pattern),           shown(response), "",
          "",         false,   reply_habits(pattern, came), false,           id_is_lost};
}

// Where any answer will do, a refusal is one, and so is the id that 2.0 gives it. But what asks is
// JSON: who calls it none says what is not so (JSON-RPC 2.0 §5.1).
void compare_refusal(const ResponsePattern& pattern, const json::Value& response, Comparison& out) {
  if (error_code_of(response) != -32700) return;
  out.mismatches.push_back({Part::code, Symptom::wrong_code_and_null_id, describe(pattern),
                            shown(response), "", "err-code-invalid"});
}

void compare_result(const ResponsePattern& pattern, const json::Value& response,
                    const json::Value& result, Comparison& out) {
  const auto& wanted = *pattern.result;
  const json::Value* part = json::at(result, wanted.at);
  const bool is_of_kind = !wanted.type || (part != nullptr && part->is(*wanted.type));
  const bool holds_text = json::text_of(part).find(wanted.contains) != std::string_view::npos;
  const bool good = part != nullptr &&
                    (wanted.equals ? json::equal(*wanted.equals, *part) : is_of_kind && holds_text);
  if (!good) {
    out.mismatches.push_back(
        {Part::result, Symptom::wrong_result, describe(pattern), shown(response)});
  }
}

// A pattern for each response, so that as many as possible match (augmenting paths).
class Assignment {
 public:
  Assignment(const std::vector<ResponsePattern>& patterns,
             const std::vector<const json::Value*>& responses)
      : patterns_(patterns), responses_(responses), pattern_of_(responses.size(), kNone) {
    for (std::size_t r = 0; r < responses.size(); ++r) {
      const json::Value* id = responses[r]->find("id");
      auto& alike = id != nullptr ? by_id_[key_of(*id)] : without_id_;
      // Of those that fit anything more than there are patterns are too many, whichever they are.
      if (id != nullptr || alike.size() < patterns.size()) alike.push_back(r);
    }
    // What could be compared in all parts has the first choice: a Response without an id fits
    // anything, and must not take the place of the one that is meant. Who takes the fewest ids
    // chooses before who takes others as well.
    for (const bool in_all_parts : {true, false}) {
      auto unmatched = unmatched_patterns();
      std::ranges::stable_sort(
          unmatched, {}, [&patterns](std::size_t each) { return patterns[each].id.any_of.size(); });
      for (const std::size_t pattern : unmatched) {
        std::vector<bool> visited(responses.size(), false);
        place(pattern, in_all_parts, visited);
      }
    }
  }

  bool is_matched(std::size_t response) const { return pattern_of_[response] != kNone; }
  std::size_t pattern_of(std::size_t response) const { return pattern_of_[response]; }
  std::vector<std::size_t> unmatched_patterns() const {
    std::vector<bool> used(patterns_.size(), false);
    for (const std::size_t pattern : pattern_of_) {
      if (pattern != kNone) used[pattern] = true;
    }
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) free.push_back(i);
    }
    return free;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // What is neither a String nor a Number is told apart by comparing alone.
  static std::string key_of(const json::Value& id) { return dialogue::id_key(id).value_or(""); }

  static bool can_match(const ResponsePattern& pattern, const json::Value& response,
                        bool in_all_parts) {
    const json::Value* id = response.find("id");
    if (id != nullptr && !accepts_id(pattern, *id)) return false;
    const auto comparison = compare_response(pattern, response);
    return comparison.matches() && (!in_all_parts || !comparison.unjudged);
  }

  // The id is looked at first: a server may answer with a hundred thousand.
  bool place(std::size_t pattern, bool in_all_parts, std::vector<bool>& visited) {
    for (const auto& id : patterns_[pattern].id.any_of) {
      const auto found = by_id_.find(key_of(id));
      if (found != by_id_.end() && place_among(found->second, pattern, in_all_parts, visited)) {
        return true;
      }
    }
    return (!in_all_parts || patterns_[pattern].id.or_none) &&
           place_among(without_id_, pattern, in_all_parts, visited);
  }

  bool place_among(const std::vector<std::size_t>& some, std::size_t pattern, bool in_all_parts,
                   std::vector<bool>& visited) {
    // Most servers answer in order: each looks first where it stands itself.
    for (std::size_t i = 0; i < some.size(); ++i) {
      const std::size_t r = some[(pattern + i) % some.size()];
      if (visited[r] || !can_match(patterns_[pattern], *responses_[r], in_all_parts)) continue;
      visited[r] = true;
      if (pattern_of_[r] == kNone || place(pattern_of_[r], in_all_parts, visited)) {
        pattern_of_[r] = pattern;
        return true;
      }
    }
    return false;
  }

  const std::vector<ResponsePattern>& patterns_;
  const std::vector<const json::Value*>& responses_;
  std::map<std::string, std::vector<std::size_t>> by_id_;
  std::vector<std::size_t> without_id_;
  std::vector<std::size_t> pattern_of_;
};

// The only id that may come back beside null is the one that the call was sent with.
std::string id_of_call(const ResponsePattern& pattern) {
  std::string id;
  for (const auto& each : pattern.id.any_of) {
    if (each.is(Kind::null)) continue;
    if (!id.empty()) return {};
    id = json::write(each);
  }
  return id;
}

void report_surplus(const json::Value& response, Comparison& out) {
  const json::Value* id = response.find("id");
  out.mismatches.push_back({Part::count, Symptom::response_surplus, "nothing more", shown(response),
                            id != nullptr ? json::write(*id) : ""});
  out.surplus.push_back(&response);
}

// A result that another call is due: no params were misread, and it came to the wrong call.
bool is_anothers_result(const std::vector<ResponsePattern>& patterns, const json::Value& response) {
  const json::Value* result = response.find("result");
  return result != nullptr && std::ranges::any_of(patterns, [&](const ResponsePattern& each) {
           return each.result && each.result->equals && json::equal(*each.result->equals, *result);
         });
}

bool is_due_for_unknown_method(const ResponsePattern& pattern) {
  return pattern.error && pattern.error->codes == std::vector<long long>{-32601};
}

bool fits_but_for_id(const ResponsePattern& pattern, const json::Value& response) {
  const auto comparison = compare_response(pattern, response);
  return !comparison.unjudged && comparison.mismatches.size() == 1 &&
         comparison.mismatches.front().part == Part::id;
}

// What is left over on both sides: first those that share an id, for they differ in the rest; then
// those that differ in the id alone; then one by one; what has no counterpart is missing or too
// much.
void compare_leftovers(const std::vector<ResponsePattern>& patterns,
                       std::vector<std::size_t> missing, std::vector<const json::Value*> surplus,
                       Comparison& out) {
  const auto report = [&](const ResponsePattern& pattern, const json::Value& response) {
    auto difference = compare_response(pattern, response);
    for (auto& each : difference.mismatches) {
      each.call = id_of_call(pattern);
      const bool is_swapped = each.part == Part::result && is_anothers_result(patterns, response);
      if (is_swapped) each.requirement = "bat-each";
      // All else that its batch shows is as it should be.
      if (each.symptom == Symptom::wrong_code && is_due_for_unknown_method(pattern)) {
        each.requirement = "err-code-method";
      }
      out.mismatches.push_back(std::move(each));
    }
  };
  const auto pair_those = [&](auto belong) {
    std::erase_if(missing, [&](std::size_t pattern) {
      const auto found = std::ranges::find_if(
          surplus, [&](const auto* response) { return belong(patterns[pattern], *response); });
      if (found == surplus.end()) return false;
      report(patterns[pattern], **found);
      surplus.erase(found);
      return true;
    });
  };
  pair_those([](const ResponsePattern& pattern, const json::Value& response) {
    const json::Value* id = response.find("id");
    return id != nullptr && accepts_id(pattern, *id);
  });
  // A server may answer with a hundred thousand.
  constexpr std::size_t kMostCompared = 50'000;
  if (missing.size() * surplus.size() <= kMostCompared) pair_those(fits_but_for_id);
  while (!missing.empty() && !surplus.empty()) {
    report(patterns[missing.back()], *surplus.back());
    missing.pop_back();
    surplus.pop_back();
  }
  for (const std::size_t each : missing) {
    out.mismatches.push_back({Part::count, Symptom::response_missing, describe(patterns[each]),
                              "nothing for it", id_of_call(patterns[each]), "", true});
  }
  for (const auto* each : surplus) report_surplus(*each, out);
}

}  // namespace

bool accepts_id(const ResponsePattern& pattern, const json::Value& id) {
  return std::ranges::any_of(pattern.id.any_of,
                             [&](const json::Value& each) { return json::equal(each, id); });
}

Comparison compare_response(const ResponsePattern& pattern, const json::Value& response) {
  Comparison out;
  if (!response.is(Kind::object)) return {{}, "the reply is not an Object"};
  const json::Value* result = response.find("result");
  const json::Value* error = response.find("error");
  // With both there, the one that is not null counts, and of two such the one that is asked for:
  // that both are there is charged by the envelope rules, and once is enough.
  const bool no_result = result == nullptr || result->is(Kind::null) || pattern.error.has_value();
  const bool failed =
      error != nullptr && (result == nullptr || (!error->is(Kind::null) && no_result));
  // An error of null says that there was none: so there is neither. In 1.0 both are always there.
  const bool has_null_error =
      error != nullptr && error->is(Kind::null) && response.find("jsonrpc") != nullptr;
  if (result == nullptr && (error == nullptr || has_null_error)) {
    out.unjudged = "the Response has neither result nor error to compare";
  } else if (!pattern.result && !pattern.error) {
    // Either will do.
    const bool names_version = response.find("jsonrpc") != nullptr;  // 1.0 has no such ids
    if (failed && names_version && is_refused_with_null(pattern, response)) {
      compare_refusal(pattern, response, out);
      return out;
    }
  } else if (pattern.error && failed) {
    compare_error(pattern, response, *error, out);
  } else if (pattern.result && !failed) {
    compare_result(pattern, response, *result, out);
  } else {
    out.mismatches.push_back(other_kind(pattern, response, failed));
  }
  compare_id(pattern, response, out);
  return out;
}

Comparison compare_responses(const std::vector<ResponsePattern>& patterns,
                             const std::vector<const json::Value*>& responses) {
  Comparison out;
  const Assignment assignment(patterns, responses);
  std::vector<const json::Value*> surplus;
  for (std::size_t r = 0; r < responses.size(); ++r) {
    if (!assignment.is_matched(r)) {
      surplus.push_back(responses[r]);
      continue;
    }
    const auto matched = compare_response(patterns[assignment.pattern_of(r)], *responses[r]);
    if (matched.unjudged) out.unjudged = matched.unjudged;
  }
  compare_leftovers(patterns, assignment.unmatched_patterns(), std::move(surplus), out);
  return out;
}

Comparison compare_elements(const std::vector<ResponsePattern>& patterns,
                            const json::Value& array) {
  std::vector<const json::Value*> objects;
  std::vector<const json::Value*> others;
  for (const auto& each : array.children()) {
    (each.is(Kind::object) ? objects : others).push_back(&each);
  }
  Comparison out = compare_responses(patterns, objects);
  std::size_t next = 0;
  for (const auto* other : others) {
    while (next < out.mismatches.size() &&
           out.mismatches[next].symptom != Symptom::response_missing) {
      ++next;
    }
    if (next == out.mismatches.size()) {
      report_surplus(*other, out);
      continue;
    }
    out.mismatches[next].symptom = Symptom::response_not_object;
    out.mismatches[next].actual = shown(*other) + " for it";
  }
  return out;
}

}  // namespace jrpcheck::judge
