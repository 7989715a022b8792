#include "wire/binding.hpp"

#include <algorithm>
#include <iterator>

namespace jrpcheck::wire {
namespace {

constexpr Unframed kNoLineFeed = {
    "std-one-line", "A message came without the line feed that ends it.", "one line a message"};

constexpr Binding kBindings[] = {
    {.name = "http",
     .requirement_class = "http",
     .pairs_replies = true,
     .delimits_messages = true,
     .head_bytes = 200},
    {.name = "lines",
     .requirement_class = "stdio",
     .framing = make_lines,
     .tried_unasked = true,
     .one_line = true,
     .noise = "std-clean",
     .several_lines = "std-one-line",
     .unframed = kNoLineFeed},
    {.name = "content-length",
     .requirement_class = "lsp",
     .framing = make_content_length,
     .tried_unasked = true,
     .delimits_messages = true,
     .batches_optional = true,
     .head_bytes = 20,
     .noise = "std-clean",
     .wrong_length = "lsp-length",
     .broken_head = "lsp-header-syntax",
     .unframed = {"lsp-header-syntax", "A message came without its header.",
                  "Content-Length and an empty line, then the message"}},
    {.name = "concatenated",
     .requirement_class = {},
     .framing = make_concatenated,
     .structures_only = true,
     .noise = "std-clean",
     .several_lines = "std-one-line",
     .unframed = kNoLineFeed},
};

// Classes whose bindings, or whose role, nothing here can judge yet.
constexpr std::string_view kUnservedClasses[] = {"ws", "tcp", "client"};

}  // namespace

std::span<const Binding> bindings() { return kBindings; }

const Binding* binding_named(std::string_view name) {
  const auto* found = std::find_if(std::begin(kBindings), std::end(kBindings),
                                   [name](const Binding& each) { return each.name == name; });
  return found == std::end(kBindings) ? nullptr : found;
}

const Binding& known_binding(std::string_view name) { return *binding_named(name); }

const Binding& default_stream_binding() {
  return *std::find_if(std::begin(kBindings), std::end(kBindings),
                       [](const Binding& each) { return each.is_stream(); });
}

bool applies_class(const Binding* binding, std::string_view requirement_class) {
  if (binding != nullptr && binding->requirement_class == requirement_class) return true;
  const bool is_of_another =
      std::any_of(std::begin(kBindings), std::end(kBindings),
                  [&](const Binding& each) { return each.requirement_class == requirement_class; });
  return !is_of_another && std::find(std::begin(kUnservedClasses), std::end(kUnservedClasses),
                                     requirement_class) == std::end(kUnservedClasses);
}

std::string framing_names(std::string_view separator) {
  std::string names;
  for (const Binding& each : kBindings) {
    if (each.is_stream()) names.append(names.empty() ? "" : separator).append(each.name);
  }
  return names;
}

}  // namespace jrpcheck::wire
