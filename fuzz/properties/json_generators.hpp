// Generators of JSON texts, for RapidCheck. Costly to include.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <string>
#include <vector>

namespace jrpcheck::properties {

/// A JSON text, or part of one.
using Text = std::string;

/// One of these; the first ones are the simplest.
rc::Gen<Text> pick(std::vector<Text> list);

/// What one of these generates; the first one is the simplest.
template <typename T>
rc::Gen<T> choose(std::vector<rc::Gen<T>> generators) {
  const auto count = generators.size();
  return rc::gen::mapcat(
      rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, count)),
      [generators = std::move(generators)](std::size_t index) { return generators[index]; });
}

/// Up to `most` of what `generator` generates.
template <typename T>
rc::Gen<std::vector<T>> several(int most, rc::Gen<T> generator) {
  return rc::gen::resize(most, rc::gen::container<std::vector<T>>(
                                   rc::gen::resize(rc::kNominalSize, std::move(generator))));
}

/// What a value may hold.
enum class Content {
  plain,  ///< nothing that a parser may refuse or alter (RFC 8259 §4, §6, §8.2)
  any,
};

rc::Gen<Text> json_scalar(Content content);
/// Nests `depth` deep at most.
rc::Gen<Text> json_value(Content content, int depth);
rc::Gen<Text> json_array(rc::Gen<Text> element, int most);
rc::Gen<Text> json_object(rc::Gen<Text> value, int most);

/// Of plain values, and two members at least.
rc::Gen<Text> object_with_several_members();

/// "[a,b]" of "a" and "b".
Text array_of(const std::vector<Text>& elements);

}  // namespace jrpcheck::properties
