// Ways: how the self-test reaches the reference server, a row for each that is not its standard
// streams.
#pragma once

#include <span>
#include <string_view>

#include "transport/target.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::selftest {

struct Way {
  std::string_view name;          ///< what mutants know it as
  std::string_view scheme_name;   ///< of TARGET
  std::string_view option;        ///< of the reference server
  std::string_view framing = {};  ///< where it is not the usual one
  std::string_view path = {};     ///< where it is not the usual one
  bool by_events = false;         ///< answers are event streams
  /// The class of the cases that are its own; empty: it is tried by all.
  std::string_view own_class = {};
  /// Faults that show anywhere are tried there in turns.
  bool takes_turns = false;

  const transport::Scheme& scheme() const;
  const wire::Binding& binding() const;
};

std::span<const Way> ways();
/// Null where it is a framing on standard streams.
const Way* way_named(std::string_view name);

/// How messages travel over a transport by that name.
const wire::Binding& binding_of(std::string_view transport);

}  // namespace jrpcheck::selftest
