#include "wire/framing.hpp"

#include <algorithm>
#include <iterator>

#include "wire/codecs.hpp"

namespace jrpcheck::wire {
namespace {

struct Entry {
  FramingKind kind;
  std::string_view name;
  std::unique_ptr<Framing> (*make)(FrameLimits limits);
};

constexpr Entry kFramings[] = {
    {FramingKind::lines, "lines", make_lines},
    {FramingKind::content_length, "content-length", make_content_length},
    {FramingKind::concatenated, "concatenated", make_concatenated},
};

const Entry& entry_of(FramingKind kind) {
  return *std::find_if(std::begin(kFramings), std::end(kFramings),
                       [kind](const Entry& entry) { return entry.kind == kind; });
}

}  // namespace

std::string_view name_of(FramingKind kind) { return entry_of(kind).name; }

std::optional<FramingKind> framing_named(std::string_view name) {
  for (const Entry& entry : kFramings) {
    if (entry.name == name) return entry.kind;
  }
  return std::nullopt;
}

std::unique_ptr<Framing> make_framing(FramingKind kind, FrameLimits limits) {
  return entry_of(kind).make(limits);
}

}  // namespace jrpcheck::wire
