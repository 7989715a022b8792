// Deviation: one way in which the reference server can be told to be unlike itself.
#pragma once

#include <string_view>

#include "reference-impl/deviations/behaviour.hpp"

namespace jrpcheck::reference {

/// Where a deviation shows.
enum Transports : unsigned {
  kHttp = 1U,
  kLines = 2U,
  kContentLength = 4U,
  kStreams = kLines | kContentLength,
  /// Where the transport itself says what a message is, be it JSON or not.
  kMarked = kHttp | kContentLength,
  /// Where batches are expected; the Language Server Protocol, which uses the other, has none.
  kBatching = kHttp | kLines,
  kEverywhere = kHttp | kStreams,
};

struct Deviation {
  std::string_view name;
  /// Ids of cases/ledger.json, separated by commas: each of them must be charged, but those in
  /// brackets, which may be: they break with the others. There * stands for any text; (*) alone
  /// says that the deviation shows wherever it happens to. Empty for what the specification allows.
  std::string_view requirements;
  Transports transports;
  std::string_view about;  ///< one sentence

  /// A fresh behaviour, with whatever it remembers from one message to the next.
  Behaviour (*behaviour)();
};

}  // namespace jrpcheck::reference
