// Text that a case file builds from parts instead of spelling it out.
#pragma once

#include <string>
#include <string_view>

#include "corpus/member_reader.hpp"

namespace jrpcheck::corpus {

/// The bytes that the elements of a `parts` list make.
std::string read_parts(const json::Value& parts, Complaint& complaint);

/// The JSON value whose text the parts make; complains where that is none.
json::Value read_built_value(const json::Value& parts, Complaint& complaint);

/// The bytes that pairs of hexadecimal digits stand for.
std::string read_hex(const json::Value& value, Complaint& complaint);

/// `from` and `to` of something that is there once for each number between them.
struct NumberRange {
  std::size_t from = 0;
  std::size_t to = 0;
};
NumberRange read_number_range(const MemberReader& reader);

/// `text` for one number: `${n}` becomes its digits, and a JSON string that is nothing but `${n}`
/// the Number.
std::string numbered(std::string_view text, std::size_t number);

}  // namespace jrpcheck::corpus
