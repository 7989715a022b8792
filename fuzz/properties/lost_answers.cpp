#include "fuzz/properties/lost_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fuzz/blame.hpp"
#include "fuzz/properties/spelling.hpp"

namespace jrpcheck::properties {
namespace {

// What is lost once may have been late, on a busy machine.
constexpr std::size_t kLostAgain = 2;
constexpr std::size_t kMostInARow = 2;

const judge::Finding* silence_in(const judge::Judgement& judgement) {
  const auto found = std::ranges::find_if(judgement.findings, [](const judge::Finding& each) {
    return fuzz::symptom_of(each) == judge::Symptom::unanswered;
  });
  return found == judgement.findings.end() ? nullptr : &*found;
}

}  // namespace

AskedAgain ask_again(const std::string& message, std::size_t most, TestSession& session) {
  // Such an id is no reason for what is lost now and then.
  const std::string sent = with_usual_ids(message).value_or(message);
  AskedAgain again;
  std::size_t in_a_row = 0;
  while (again.answered + again.lost < most && in_a_row < kMostInARow) {
    const auto judgement = session.judge_once(sent);
    if (session.is_cut_off() || !session.lost().empty() || session.death()) break;
    if (const auto* silence = silence_in(judgement)) {
      again.finding = *silence;
      ++again.lost;
      ++in_a_row;
      continue;
    }
    ++again.answered;
    in_a_row = 0;
    if (again.lost < kLostAgain) continue;
    again.is_at_times = true;
    again.finding.actual = fmt::format("nothing, {} of the {} times that it was sent", again.lost,
                                       again.answered + again.lost);
    break;
  }
  return again;
}

}  // namespace jrpcheck::properties
