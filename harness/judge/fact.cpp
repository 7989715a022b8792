#include "judge/fact.hpp"

#include <utility>

#include "base/bytes.hpp"
#include "base/last_words.hpp"

namespace jrpcheck::judge {
namespace {

constexpr std::size_t kShown = 400;

std::string how_it_died(const dialogue::Event& event) {
  std::string actual = event.note;
  if (!event.bytes.empty()) {
    actual += "; standard error ends with: " + last_words(event.bytes);
  }
  return actual;
}

Finding failure(std::string requirement, Symptom symptom, std::string expected,
                std::string actual) {
  Finding finding;
  finding.requirement = std::move(requirement);
  finding.symptom = symptom;
  finding.expected = std::move(expected);
  finding.actual = std::move(actual);
  return finding;
}

std::optional<Finding> finding_of(dialogue::Fact fact, const dialogue::Event& event,
                                  std::string_view of_end) {
  using dialogue::Fact;
  switch (fact) {
    case Fact::died_later:
      return failure(std::string(of_end), Symptom::died_later, "a server that goes on serving",
                     how_it_died(event));
    case Fact::answers_changed:
      return failure("rob-survives", Symptom::answers_changed,
                     "the control call answered as before",
                     event.bytes.empty() ? "another answer; other cases ran beside this one"
                                         : to_visible(event.bytes, kShown));
    case Fact::answered_again:
      return failure("res-once", Symptom::second_response, "one Response", to_visible(event.bytes));
    case Fact::answers_mixed_up:
      return failure("id-echo", Symptom::answers_mixed_up,
                     "the answer to the call itself, as on a connection of its own", event.bytes);
    case Fact::died_of_it:
      return failure(std::string(of_end), Symptom::died,
                     "an answer to the control call that follows", how_it_died(event));
    case Fact::deaf_since:
      return failure("rob-survives", Symptom::serves_not_this_connection,
                     "an answer to the control call that follows", how_it_died(event));
    case Fact::unknown_method_hangs:
      return failure("res-always", Symptom::unanswered, "error -32601", event.note);
    case Fact::went_away: {
      auto finding =
          failure("rob-survives", Symptom::went_away, "a server that goes on serving", event.bytes);
      finding.particulars = event.note;
      return finding;
    }
    case Fact::code_changed: {
      const bool is_error = event.bytes.find("\"error\"") != std::string::npos;
      return failure("err-code-method", is_error ? Symptom::wrong_code : Symptom::call_succeeded,
                     "error -32601, as at other times",
                     to_visible(event.bytes, kShown) +
                         (event.note.empty() ? std::string() : " " + event.note));
    }
    case Fact::call_left_out:
      return failure("res-always", Symptom::unanswered, "an answer to each call", event.bytes);
    case Fact::held_until_more: {
      auto finding = failure("res-always", Symptom::rule_broken,
                             "an answer that comes with nothing sent behind its call", event.bytes);
      finding.particulars = "The answer comes only when something more is sent.";
      return finding;
    }
    case Fact::batches_served: {
      auto finding = failure("bat-array", Symptom::rule_broken,
                             "an Array of Responses, as " + to_visible(event.note, kShown) + " has",
                             event.bytes);
      finding.particulars =
          "A batch whose calls succeed is answered by an Array, and this one, whose calls fail, "
          "is not.";
      return finding;
    }
    case Fact::speaks_1_0:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::string charge_of_end(const corpus::Step& step) {
  const auto named = step.charge.find("survival");
  return named == step.charge.end() ? std::string(kSurvives) : named->second;
}

std::optional<Finding> finding_of(const dialogue::Event& event, std::string_view of_end) {
  if (!event.fact) return std::nullopt;
  auto finding = finding_of(*event.fact, event, of_end);
  if (finding) finding->step = event.step.value_or(0);
  return finding;
}

}  // namespace jrpcheck::judge
