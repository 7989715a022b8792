#include "run/lasting_damage.hpp"

#include <algorithm>

namespace jrpcheck::run {
namespace {

constexpr std::string_view kChanged = "since this case every call is answered so";

}  // namespace

void LastingDamage::note(std::size_t ordinal, CaseRun& run, session::Conversation& conversation) {
  if (run.damage.empty() || shared_.damaged_by) return;
  if (shared_.may_suffer_from_others()) {
    if (!is_mended(conversation)) shared_.damaged_by = ordinal;
    return;
  }
  dialogue::Transcript later;
  run.damage = runner_.find_lasting_damage(conversation, later);
  if (run.damage.empty()) return;
  bool serves_anew = is_mended(conversation);
  if (serves_anew) {
    CaseRun again = runner_.run(ordinal, conversation);
    if (!is_lost(again.survival.survival) && again.damage.empty()) {
      endings_.note_changed(run.damage, "in " + corpus_.cases[ordinal].id);
      run = std::move(again);
      return;
    }
    serves_anew = is_mended(conversation);
  }
  auto event = fact_event(dialogue::Fact::answers_changed, run.damage, std::string(kChanged));
  event.step = corpus_.cases[ordinal].steps.size() - 1;
  note_fact(std::move(event), run.result);
  if (!serves_anew) shared_.damaged_by = ordinal;
}

bool LastingDamage::is_mended(session::Conversation& conversation) const {
  dialogue::Transcript aside;
  return conversation.start_anew(aside) && runner_.find_damage(conversation, aside).empty();
}

void LastingDamage::forget_if_mended(session::Conversation& conversation) {
  if (!shared_.damaged_by || !still_serves(conversation)) return;
  dialogue::Transcript aside;
  const bool is_damaged = !runner_.find_damage(conversation, aside).empty() &&
                          !runner_.find_lasting_damage(conversation, aside).empty();
  if (!is_damaged) shared_.damaged_by.reset();
}

std::string LastingDamage::why_spared() const {
  if (!shared_.damaged_by) return {};
  return "the server has answered every call in one way since " +
         corpus_.cases[*shared_.damaged_by].id;
}

void LastingDamage::leave_unsettled() {
  const std::size_t culprit = *shared_.damaged_by;
  for (const std::size_t ordinal : shared_.again) {
    if (ordinal == culprit) continue;
    shared_.results[ordinal] = not_exercised(corpus_.cases[ordinal], why_spared());
  }
  auto& result = shared_.results[culprit];
  const bool charged = std::any_of(
      result.findings.begin(), result.findings.end(),
      [](const judge::Finding& finding) { return finding.requirement == "rob-survives"; });
  if (charged) return;
  note_fact(fact_event(dialogue::Fact::answers_changed, {}, std::string(kChanged)), result);
}

}  // namespace jrpcheck::run
