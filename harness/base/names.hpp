// Names of the values of an enum, as a row.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace jrpcheck {

/// The name of `value`, where `names` stand in the order in which the values are declared. Empty
/// behind the last one.
template <typename Enum>
std::string_view name_at(std::initializer_list<std::string_view> names, Enum value) {
  const auto at = static_cast<std::size_t>(value);
  return at < names.size() ? *(names.begin() + at) : std::string_view();
}

/// The value that `name_of` gives this name.
template <typename Enum>
std::optional<Enum> value_named(std::string_view name) {
  for (int i = 0; !name_of(static_cast<Enum>(i)).empty(); ++i) {
    if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace jrpcheck
