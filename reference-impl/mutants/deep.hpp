// What deep faults are made of: conditions on an element and its place, and what goes wrong then.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/mutants/behaviour.hpp"
#include "reference-impl/mutants/mutant.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

/// An element, and where in its message it stands.
struct Seat {
  ElementText element;
  std::size_t at = 0;  ///< among the elements of a batch
  bool in_batch = false;

  /// A Request with an id, right in everything.
  bool is_call() const;
  bool is_notification() const { return element.is_notification(); }
  /// The id's text; empty when there is none.
  std::string id() const;
  bool has_string_id() const { return is_string(id()); }
  bool has_number_id() const;
  /// The params where they are passed by name, and where by position.
  std::optional<ObjectText> named() const;
  std::optional<std::vector<std::string>> positional() const;
  bool has_null_by_name() const;
};

using Elements = std::vector<ElementText>;

bool is_number(const std::string& text);
/// Whether the text of a Number has a fraction that is written out.
bool has_fraction(const std::string& text);
bool has_exponent(const std::string& text);
/// Whether a JSON text has an escape of the form \u0041.
bool has_unicode_escape(std::string_view text);

/// Answers elements for which `applies` in another way than the proper one.
Behaviour when(bool (*applies)(const Seat& seat),
               Reply (*otherwise)(const Seat& seat, const Reply& proper));
/// The same for batches that are not empty.
Behaviour when_batch(bool (*applies)(const Elements& elements),
                     Reply (*otherwise)(const Elements& elements, const Reply& proper));

/// A message that `arms` leaves a state in which the next one that `meets` goes wrong.
Mutation armed_by(bool (*arms)(const Elements& elements, std::string_view message),
                  bool (*meets)(const Elements& elements, std::string_view message),
                  Reply (*otherwise)(const Elements& elements, const Reply& proper));

/// The elements of a message, one where it is no batch; none where it is no JSON.
Elements elements_in(std::string_view message);
/// Whether it is JSON and no batch; and its element then.
bool is_single(const Elements& elements, std::string_view message);
Seat alone(const Elements& elements);

// What goes wrong.
Reply unanswered(const Seat& seat, const Reply& proper);
Reply death(const Seat& seat, const Reply& proper);
Reply without_id(const Seat& seat, const Reply& proper);  ///< null in its place
Reply both_members(const Seat& seat, const Reply& proper);
Reply answered_all_the_same(const Seat& seat, const Reply& proper);
Reply with_id_text(const Reply& proper, const std::string& id);
Reply with_error(const Reply& proper, const Edit& edit);  ///< with its error object edited
/// An Array of replies without the last of them.
Reply without_last(const Elements& elements, const Reply& proper);

}  // namespace jrpcheck::reference
