// Legal limits (RFC 8259 §9).
#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::reference {

namespace {

Behaviour taking_1_kib() {
  constexpr std::size_t kMost = 1024;
  return {.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
            if (message.size() <= kMost) return proper(message);
            return R"({"jsonrpc":"2.0","error":{"code":-32001,"message":"too long"},"id":null})";
          },
          .limits = Limits{.max_bytes = kMost}};
}

}  // namespace

std::span<const Mutant> limit_variants() {
  static const Mutant all[] = {
      {"depth-limited", kLegal, kEverywhere, "Params nested more than 16 deep are refused.",
       Behaviour{.limits = Limits{.max_depth = 16}}},
      {"length-limited", kLegal, kEverywhere, "Messages of more than 96 KiB are refused.",
       Behaviour{.limits = Limits{.max_bytes = 96U << 10}}},
      {"length-limited-to-1-kib", kLegal, kEverywhereAndWs,
       "Messages of more than 1 KiB are refused: over HTTP with status 413, else with error "
       "-32001.",
       taking_1_kib},
  };
  return all;
}

}  // namespace jrpcheck::reference
