#include "wire/http_fields.hpp"

#include <algorithm>

#include "base/letter_case.hpp"

namespace jrpcheck::wire {
namespace {

auto is_named(std::string_view name) {
  return [name](const auto& field) { return same_ignoring_case(field.first, name); };
}

}  // namespace

std::optional<std::string_view> field_of(const HttpFields& fields, std::string_view name) {
  const auto found = std::ranges::find_if(fields, is_named(name));
  if (found == fields.end()) return std::nullopt;
  return found->second;
}

std::string field_list(const HttpFields& fields, std::string_view name) {
  std::string all;
  for (const auto& [each, value] : fields) {
    if (same_ignoring_case(each, name)) all.append(all.empty() ? "" : ", ").append(value);
  }
  return all;
}

void set_field(HttpFields& fields, std::string_view name, const std::string& value) {
  const auto found = std::ranges::find_if(fields, is_named(name));
  if (found != fields.end()) {
    found->second = value;
  } else {
    fields.emplace_back(name, value);
  }
}

void remove_field(HttpFields& fields, std::string_view name) {
  std::erase_if(fields, is_named(name));
}

}  // namespace jrpcheck::wire
