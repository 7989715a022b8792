#include "fuzz/clients/answer_text.hpp"

#include <set>

#include "base/bytes.hpp"
#include "client/placeholders.hpp"

namespace jrpcheck::fuzz {
namespace {

constexpr std::string_view kIdAsText = "\"${id}\"";
constexpr std::string_view kId = "${id}";
// The engine begins with what is small.
constexpr std::size_t kMostOfASeed = 1000;

// Other placeholders are nobody's.
std::string without_other_placeholders(std::string text) {
  for (auto at = text.find("${"); at != text.npos; at = text.find("${", at + 1)) {
    if (text.compare(at, kId.size(), kId) != 0) text.insert(at + 1, " ");
  }
  return text;
}

}  // namespace

corpus::Scenario scenario_giving(const std::string& text) {
  using corpus::CallOutcome;
  corpus::Scenario scenario;
  scenario.id = "client/fuzz";
  scenario.title = "An answer that a campaign has made";
  scenario.requirements = {"cl-survives"};
  std::string answer = text;
  replace_all(answer, kIdAsText, kId);
  scenario.answer = {without_other_placeholders(std::move(answer))};
  scenario.then = "close";
  scenario.accept = {CallOutcome::value, CallOutcome::error, CallOutcome::wrong,
                     CallOutcome::nothing};
  scenario.others_may_fail = true;
  return scenario;
}

std::vector<std::string> answers_to_begin_with(const corpus::Corpus& corpus) {
  const std::string id(kIdAsText);
  const std::string good = client::plain_response("102", id);
  client::Blanks blanks;
  blanks.ids.fill(id);
  blanks.goods.fill(good);
  blanks.value = "102";
  std::set<std::string> known;
  std::vector<std::string> answers;
  const auto add = [&](const std::string& text) {
    const bool is_small = !text.empty() && text.size() <= kMostOfASeed;
    if (is_small && known.insert(text).second) answers.push_back(text);
  };
  add(good);
  for (const auto& scenario : corpus.scenarios) {
    for (const auto& each : client::answer_of(scenario, blanks).messages) add(each);
  }
  return answers;
}

}  // namespace jrpcheck::fuzz
