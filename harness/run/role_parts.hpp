// The table of roles: under which names a method may play one, and what it must answer to do so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/proof.hpp"

namespace jrpcheck::run {

/// What a method must answer; in each form all proofs come true or the form is not taken.
struct Proofs {
  std::vector<Proof> by_position;  ///< and those without params
  std::vector<Proof> by_name;
};

struct Part {
  std::string_view role;
  std::vector<std::string_view> names;  ///< tried as they stand, in this order
  std::vector<std::string_view> words;  ///< last part of a listed name, in lower case
  bool in_any_namespace = false;        ///< else only in those of arithmetic and of examples
  std::string_view only_beside = {};    ///< tried only where this method succeeds
  std::vector<std::string_view> in_place_of =
      {};  ///< tried only where none of these roles is played
  /// Tried as well where the server calculates (`calculations`): `add` may keep what it is called
  /// with elsewhere.
  std::vector<std::string_view> names_of_calculators = {};
};

/// In the order in which they are probed. What fails on purpose comes last: it may leave the server
/// damaged.
const std::vector<Part>& role_parts();

/// Several proofs where one result could be a coincidence or a constant, and for arithmetic one
/// with numbers drawn from `seed`, which no table of examples holds.
Proofs proofs_of(std::string_view role, unsigned long long seed);

/// Calls that only a server answers so which calculates, and whose names promise no more than that.
struct Calculation {
  std::string_view method;
  Proof proof;
};
const std::vector<Calculation>& calculations();

/// What a method must do to play the role, in one sentence.
std::string_view duty_of(std::string_view role);

/// Whether `listed`, a name with a namespace that the server says it has, may play the part.
bool may_play(const Part& part, const std::string& listed);

/// Methods that say which methods there are.
const std::vector<std::string_view>& listing_methods();

}  // namespace jrpcheck::run
