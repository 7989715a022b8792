// The ledger of the corpus, which says what a violation of each requirement means.
#pragma once

#include <algorithm>
#include <utility>

#include "corpus/corpus.hpp"
#include "fuzz/targets/promise.hpp"

namespace jrpcheck::fuzz {

inline corpus::Ledger read_built_in_ledger() {
  const auto files = corpus::embedded_files();
  const auto file = std::find_if(files.begin(), files.end(),
                                 [](const auto& each) { return each.path == corpus::kLedgerPath; });
  promise(file != files.end(), "the ledger is built in");
  auto ledger = corpus::Ledger::load(file->path, file->text);
  promise(static_cast<bool>(ledger), "the ledger can be read");
  return *std::move(ledger);
}

}  // namespace jrpcheck::fuzz
