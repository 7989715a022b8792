#include <utility>

#include "reference-impl/mutants/deep.hpp"

namespace jrpcheck::reference {

namespace {

ElementText element_from(std::string text) {
  auto object = object_of(text);
  return {std::move(text), std::move(object)};
}

}  // namespace

Elements elements_in(std::string_view message) {
  Elements elements;
  if (!is_json(message)) return elements;
  if (!is_array(message)) {
    elements.push_back(element_from(std::string(stripped(message))));
    return elements;
  }
  for (auto& text : elements_of(message)) elements.push_back(element_from(std::move(text)));
  return elements;
}

}  // namespace jrpcheck::reference
