// Baselines: what a server says to one message when nothing is varied, and whether it always does.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/properties/answer.hpp"
#include "fuzz/properties/property.hpp"

namespace jrpcheck::properties {

Trial skip(std::string reason);
/// Where there is nothing to compare with, and nothing has been varied yet.
Trial skip_without_baseline(std::string reason);
/// `step` is the place in the record of what shows it.
Trial fail(std::size_t step, std::string requirement, judge::Symptom symptom, std::string expected,
           std::string actual);
/// The place in the record of what was asked last.
std::size_t last_step(const TestSession& session);
Trial hold(std::string requirement);

/// Whether the answer has the id of that call.
bool has_id_of(const std::string& call, const Answer& answer);

/// The answer to a call that is asked several times; nothing where it is no Response by its id, or
/// not always the same. `why` says which.
std::optional<Answer> stable_answer(TestSession& session, const std::string& call,
                                    std::string& why);
/// Whether the answer is still the same: what differs between now and then may be due to time.
bool is_unchanged(TestSession& session, const std::string& call, const Answer& before);

/// The same for several calls, each alone.
std::optional<std::vector<Answer>> stable_answers(TestSession& session,
                                                  const std::vector<std::string>& calls,
                                                  std::string& why);
bool are_unchanged(TestSession& session, const std::vector<std::string>& calls,
                   const std::vector<Answer>& before);

}  // namespace jrpcheck::properties
