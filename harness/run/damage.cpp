#include "run/damage.hpp"

#include <algorithm>

#include "transport/byte_stream.hpp"

namespace jrpcheck::run {
namespace {

// Limits on calls are counted a second, as a rule. What has lasted so often lasts, and is not
// waited for again.
constexpr milliseconds kUntilMended{1500};
constexpr int kDamagesThatTell = 4;

}  // namespace

bool Damage::has_changed(const dialogue::SurvivalCheck& check) const {
  return liveness_ != nullptr && liveness_->has_changed(check.answer, check.answer_status);
}

std::string Damage::find(session::Conversation& conversation,
                         dialogue::Transcript& transcript) const {
  return find_behind(conversation.check_survival(transcript), conversation, transcript);
}

// Asked twice: a server may refuse one call for a reason of the moment.
std::string Damage::find_behind(const dialogue::SurvivalCheck& first,
                                session::Conversation& conversation,
                                dialogue::Transcript& transcript) const {
  if (!has_changed(first)) return {};
  const auto second = conversation.check_survival(transcript);
  if (has_changed(second)) return second.answer;
  if (!second.answer.empty()) liveness_->note_other_answer(first.answer);
  return {};
}

std::string Damage::find_lasting(session::Conversation& conversation,
                                 dialogue::Transcript& transcript, microseconds asked_for) const {
  const auto wait = std::max<microseconds>(kUntilMended, asked_for);
  if (lasting_ < kDamagesThatTell) transport::wait_until(Deadline::in(wait));
  std::string damage = find(conversation, transcript);
  lasting_ = damage.empty() ? 0 : lasting_ + 1;
  return damage;
}

}  // namespace jrpcheck::run
