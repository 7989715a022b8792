// Legal limits (RFC 8259 §9).
#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::reference {

std::span<const Mutant> limit_variants() {
  static const Mutant all[] = {
      {"depth-limited", kLegal, kEverywhere, "Params nested more than 16 deep are refused.",
       Behaviour{.limits = Limits{.max_depth = 16}}},
      {"length-limited", kLegal, kEverywhere, "Messages of more than 96 KiB are refused.",
       Behaviour{.limits = Limits{.max_bytes = 96U << 10}}},
  };
  return all;
}

}  // namespace jrpcheck::reference
