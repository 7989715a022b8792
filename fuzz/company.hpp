// Company: the messages that leave in one write with another. Some faults show only in what a
// server reads together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "fuzz/cut.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/history.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::fuzz {

struct Company {
  Messages ahead = {};   ///< written before it
  Messages behind = {};  ///< and after it
  std::optional<Cut> cut = {};

  /// Others in their place, while a cut stays in the message that it is in; one that is in none any
  /// more is gone.
  Company with_ahead(Messages others) const;
  Company with_behind(Messages others) const;
};

/// The others of all that are written as the company of the one in this place.
Company company_around(const Messages& all, std::size_t place, const std::optional<Cut>& cut);

/// All that is written, in order.
Messages written(const std::string& message, const Company& company);

/// The same as a step, for a careful executor. It waits for all that may come back, and accepts
/// nothing in particular: judge_in_company says what is right.
corpus::Step step_in_company(const std::string& message, const Company& company,
                             const Traits& traits);

/// Where the bytes of all that are cut, in this framing; empty where they are not.
std::vector<std::size_t> cuts_of(const std::string& message, const Company& company,
                                 const wire::Binding& binding);

/// What about it a fault needs, for people: "in one write with other messages".
std::string in_words(const Company& company);

/// A call of a method that no server has, whose id nobody else uses: of so many bytes, or of as few
/// as it can have.
std::string plain_call(std::size_t bytes, std::size_t number);

/// The call that goes before a message whose bytes arrive in pieces, and is answered first.
std::string first_call();

/// Companions of the same length whose answers cannot be taken for anything else's.
Company with_plain_calls(const Company& company);

}  // namespace jrpcheck::fuzz
