// What a case did to a server that answers otherwise than at first ever since.
#pragma once

#include <cstddef>
#include <string>

#include "run/culprits.hpp"
#include "run/endings.hpp"

namespace jrpcheck::run {

/// Looks whether the server answers every call in a new way since a case, which is charged then:
/// the cases behind it would tell nothing.
class LastingDamage {
 public:
  LastingDamage(const corpus::Corpus& corpus, const CaseRunner& runner, Endings& endings,
                Shared& shared)
      : corpus_(corpus), runner_(runner), endings_(endings), shared_(shared) {}

  /// Charges the case that has just run where it is due to it. A server that was started here is
  /// started anew, so that the cases that follow are not spoilt, and the case runs once more: where
  /// that does no damage, what the server did is charged to no case, and the second run stands.
  /// Where it cannot be started anew `shared.damaged_by` is set. With the mutex held.
  void note(std::size_t ordinal, CaseRun& run, session::Conversation& conversation);

  // Alone.
  /// Beside others it may have been for what they asked at the same time.
  void forget_if_mended(session::Conversation& conversation);
  /// Why cases do not run any more; nothing where there is no damage.
  std::string why_spared() const;
  /// Cases ran side by side when it happened: the one that met it first is charged, and those that
  /// were to be tried alone tell nothing any more.
  void leave_unsettled();

 private:
  bool is_mended(session::Conversation& conversation) const;

  const corpus::Corpus& corpus_;
  const CaseRunner& runner_;
  Endings& endings_;
  Shared& shared_;
};

}  // namespace jrpcheck::run
