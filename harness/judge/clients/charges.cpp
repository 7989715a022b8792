#include "judge/clients/charges.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "dialogue/id_key.hpp"
#include "json/parse.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kLongestId = 200;  // that is kept
constexpr std::size_t kShownOfMessage = 400;

const WordsOfClients& words_of(std::string_view family) {
  return *std::ranges::find_if(
      kWordsOfClients, [family](const WordsOfClients& each) { return each.family == family; });
}

}  // namespace

ClientCharges::ClientCharges(ClientLaw law)
    : law_(std::move(law)), words_(words_of(law_.family)), charger_(law_.ledger, judgement_) {}

const schema::MessageSchemas* ClientCharges::schemas() const {
  return version ? law_.schemas_of(*version) : nullptr;
}

bool ClientCharges::is_asked(std::string_view requirement) const {
  const auto* known = requirement.empty() ? nullptr : law_.ledger.find(requirement);
  if (known == nullptr || known->versions.empty()) return known != nullptr;
  const auto has = [known](std::string_view each) { return contains(known->versions, each); };
  if (version) return has(*version);
  return std::ranges::all_of(kVersionsWithHandshake, has);
}

void ClientCharges::exercise(std::string_view requirement) {
  if (is_asked(requirement)) charger_.exercise(requirement);
}

void ClientCharges::charge(std::string_view requirement, const Value& message, std::string_view at,
                           std::string sentence, std::string expected) {
  if (!is_charged(requirement)) return;
  charger_.charge(requirement, {Symptom::rule_broken, std::move(expected),
                                to_visible(json::write(message), kShownOfMessage), std::string(at),
                                std::move(sentence)});
}

void ClientCharges::charge(std::string_view requirement, Fault fault) {
  if (is_charged(requirement)) charger_.charge(requirement, std::move(fault));
}

bool ClientCharges::is_charged(std::string_view requirement) const {
  const auto& findings = judgement_.findings;
  const bool has_many = findings.size() >= kMostFindingsAtOnce &&
                        std::ranges::any_of(findings, [&](const Finding& each) {
                          return each.requirement == requirement;
                        });
  return is_asked(requirement) && !has_many;
}

Judgement ClientCharges::take() { return std::exchange(judgement_, {}); }

std::optional<std::string> kept_key(const Value* id) {
  auto key = dialogue::id_key(id);
  if (key && key->size() > kLongestId) key.reset();
  return key;
}

}  // namespace jrpcheck::judge
