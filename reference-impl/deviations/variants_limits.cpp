// Legal limits (RFC 8259 §9).
#include "reference-impl/deviations/catalogue.hpp"

namespace jrpcheck::reference {

namespace {

constexpr Deviation kLimitVariants[] = {
    {"depth-limited", "", kEverywhere, "Params nested more than 16 deep are refused.",
     [] { return Behaviour{.limits = Limits{.max_depth = 16}}; }},
    {"length-limited", "", kEverywhere, "Messages of more than 96 KiB are refused.",
     [] { return Behaviour{.limits = Limits{.max_bytes = 96U << 10}}; }},
};

}  // namespace

std::span<const Deviation> limit_variants() { return kLimitVariants; }

}  // namespace jrpcheck::reference
