#include "fuzz/properties/baseline.hpp"

#include <utility>

#include "json/parse.hpp"

namespace jrpcheck::properties {

Trial skip(std::string reason) {
  Trial trial;
  trial.skipped = std::move(reason);
  return trial;
}

Trial skip_without_baseline(std::string reason) {
  Trial trial = skip(std::move(reason));
  trial.lacks_baseline = true;
  return trial;
}

Trial hold(std::string requirement) {
  Trial trial;
  trial.exercised.insert(std::move(requirement));
  return trial;
}

Trial fail(std::size_t step, std::string requirement, judge::Symptom symptom, std::string expected,
           std::string actual) {
  Trial trial = hold(requirement);
  judge::Finding finding;
  finding.requirement = std::move(requirement);
  finding.symptom = symptom;
  finding.expected = std::move(expected);
  finding.actual = std::move(actual);
  finding.step = step;
  trial.findings.push_back(std::move(finding));
  return trial;
}

bool has_id_of(const std::string& call, const Answer& answer) {
  const auto parsed = json::parse(call);
  const json::Value* id = parsed ? parsed.value->find("id") : nullptr;
  return id != nullptr && json::equal(*id, answer.id);
}

std::size_t last_step(const TestSession& session) {
  return session.record().empty() ? 0 : session.record().size() - 1;
}

std::optional<Answer> stable_answer(TestSession& session, const std::string& call,
                                    std::string& why) {
  auto first = answer_in(session.ask(call));
  if (!first) {
    why = "a call alone was not answered by one Response";
    return std::nullopt;
  }
  // Whatever that is held against, the difference is no fault of what was varied.
  if (!has_id_of(call, *first)) {
    why = "a call alone was not answered by its id";
    return std::nullopt;
  }
  for (int i = 1; i < session.repeats(); ++i) {
    if (is_unchanged(session, call, *first)) continue;
    why = "a call was not answered alike each time";
    return std::nullopt;
  }
  return first;
}

bool is_unchanged(TestSession& session, const std::string& call, const Answer& before) {
  const auto now = answer_in(session.ask(call));
  return now && same(*now, before);
}

std::optional<std::vector<Answer>> stable_answers(TestSession& session,
                                                  const std::vector<std::string>& calls,
                                                  std::string& why) {
  std::vector<Answer> answers;
  for (const auto& call : calls) {
    auto answer = stable_answer(session, call, why);
    if (!answer) return std::nullopt;
    answers.push_back(*std::move(answer));
  }
  return answers;
}

bool are_unchanged(TestSession& session, const std::vector<std::string>& calls,
                   const std::vector<Answer>& before) {
  for (int i = 1; i < session.repeats(); ++i) {
    for (std::size_t each = 0; each < calls.size(); ++each) {
      if (!is_unchanged(session, calls[each], before[each])) return false;
    }
  }
  return true;
}

}  // namespace jrpcheck::properties
