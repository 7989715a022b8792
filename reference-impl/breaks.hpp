// What a mutant of the server or of the client breaks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jrpcheck::reference {

/// Which requirements a mutant breaks: ids of cases/ledger.json.
struct Breaks {
  std::vector<std::string_view> certain = {};     ///< each of them must be charged
  std::vector<std::string_view> possible = {};    ///< these break with them, and may be charged
  std::vector<std::string_view> beginnings = {};  ///< so may all whose ids begin like this
  bool anywhere = false;  ///< it strikes wherever it happens to: anything may be charged
  bool refusal = false;   ///< nobody is let in, so that there is nothing to charge

  template <typename... Ids>
  Breaks perhaps(Ids... ids) && {
    possible = {ids...};
    return std::move(*this);
  }
  template <typename... Beginnings>
  Breaks perhaps_any_of(Beginnings... of) && {
    beginnings = {of...};
    return std::move(*this);
  }
  Breaks wherever_it_strikes() && {
    anywhere = true;
    return std::move(*this);
  }
};

template <typename... Ids>
Breaks breaks(Ids... ids) {
  return {.certain = {ids...}};
}

/// What the specification allows breaks nothing.
inline const Breaks kLegal = {};
inline const Breaks kLetsNobodyIn = {.refusal = true};

/// As the lists of mutants have them: joined by commas, or "-" where there are none.
std::string with_commas(const std::vector<std::string>& texts);
/// The ids of what must be charged.
std::string certain_of(const Breaks& breaks);
/// Ids, and patterns of ids in which * stands for any text.
std::string possible_of(const Breaks& breaks);

}  // namespace jrpcheck::reference
