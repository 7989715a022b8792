// The engine: libFuzzer, driven from within this program, with the shapes of replies as coverage.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "fuzz/tester.hpp"
#include "fuzz/vocabulary.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::fuzz {

struct EngineOptions {
  Vocabulary vocabulary;
  unsigned long long seed = 0;
  std::string corpus_folder;       ///< kept from campaign to campaign; empty: a temporary one
  std::vector<std::string> seeds;  ///< messages to begin with
  std::vector<std::string> flags;  ///< of libFuzzer's own, as they are
  bool sees_edges = false;         ///< features may be edges of the program
};

/// Whether this program was built with the engine; the error says what to install.
Result<bool> has_engine();

/// Feeds the tester until it is over. The engine keeps its state in the process: to be called
/// once.
Result<bool> run_engine(const EngineOptions& options, Tester& tester,
                        transport::Guardian& guardian);

}  // namespace jrpcheck::fuzz
