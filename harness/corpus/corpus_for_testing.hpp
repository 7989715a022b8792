// The corpus that is built into the program, as tests have it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "corpus/corpus.hpp"

namespace jrpcheck::corpus {

/// By that profile; all of it where none is named.
inline const Corpus& corpus_for_testing(std::string_view profile = {}) {
  static std::map<std::string, Corpus, std::less<>> known;
  const auto found = known.find(profile);
  if (found != known.end()) return found->second;
  auto corpus = assemble(embedded_files(), {});
  if (corpus && !profile.empty()) corpus = with_profile(*std::move(corpus), profile);
  if (!corpus) ADD_FAILURE() << corpus.error().message;
  auto& made = known[std::string(profile)];
  if (corpus) made = *std::move(corpus);
  return made;
}

}  // namespace jrpcheck::corpus
