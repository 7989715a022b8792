// Company: the messages that leave in one write with another. Some faults show only in what a
// server reads together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/history.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::fuzz {

/// Where one write becomes two that arrive apart: before this byte of this message.
struct Cut {
  std::size_t message = 0;  ///< its place among all that are written
  std::size_t offset = 0;
};

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

/// Where a message begins in its framing.
std::size_t begin_within(const std::string& framed, const std::string& message);

/// Where readers in pieces go wrong.
enum class CutPlace {
  character,   ///< within one of several bytes (RFC 3629 §3)
  escape,      ///< behind its backslash
  token,       ///< within a Number or a literal
  first_byte,  ///< behind it
  last_byte,   ///< before it
  middle,      ///< of the message, and anywhere else
};
inline constexpr std::size_t kCutPlaces = 6;

/// The first such place of a message; nothing where it has none.
std::optional<std::size_t> cut_at(CutPlace place, std::string_view message);
/// What a message that is cut there is cut at.
CutPlace place_of_cut(std::string_view message, std::size_t offset);

/// A call of a method that no server has, whose id nobody else uses: of so many bytes, or of as few
/// as it can have.
std::string plain_call(std::size_t bytes, std::size_t number);

/// The call that goes before a message whose bytes arrive in pieces, and is answered first.
std::string first_call();

/// Companions of the same length whose answers cannot be taken for anything else's.
Company with_plain_calls(const Company& company);

}  // namespace jrpcheck::fuzz
