#include "fuzz/known_silences.hpp"

#include <algorithm>

#include "base/contains.hpp"
#include "fuzz/blame.hpp"
#include "fuzz/blame_batch.hpp"
#include "json/writer.hpp"

namespace jrpcheck::fuzz {

void KnownSilences::note(const Suspicion& told) {
  const bool is_silence = symptom_of(told.finding) == judge::Symptom::unanswered;
  if (!is_silence || !told.before.empty() || told.company) return;
  const dialogue::Message sent(told.sent);
  const bool is_batch = sent.value() != nullptr && sent.value()->is(json::Kind::array);
  if (is_batch) abouts_.insert(told.finding.about);
}

std::optional<std::string> KnownSilences::first_in(const json::Value& batch,
                                                   const Traits& traits) const {
  const auto silences = silences_in(batch, traits);
  const auto found =
      std::ranges::find_if(silences, [&](const auto& each) { return contains(abouts_, each); });
  return found == silences.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::string> KnownSilences::batch_without(const json::Value& batch,
                                                        const Traits& traits) const {
  const auto silences = silences_in(batch, traits);
  std::string others;
  std::size_t left = 0;
  for (std::size_t i = 0; i < silences.size(); ++i) {
    if (contains(abouts_, silences[i])) continue;
    others.append(left++ == 0 ? "[" : ",").append(json::write(batch.children()[i]));
  }
  if (left == 0 || left == silences.size()) return std::nullopt;
  return others + "]";
}

}  // namespace jrpcheck::fuzz
