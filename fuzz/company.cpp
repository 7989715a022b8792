#include "fuzz/company.hpp"

#include <algorithm>
#include <utility>

#include "corpus/reply_count.hpp"

namespace jrpcheck::fuzz {
namespace {

// Within 32 bits, and between the ids of control calls.
constexpr std::size_t kFirstId = 1'650'000'000;

// Only how many they are is read of these.
corpus::Outcome any_of_so_many(std::size_t replies) {
  corpus::Outcome outcome;
  outcome.shape =
      replies == 0 ? corpus::Outcome::Shape::silence : corpus::Outcome::Shape::responses;
  outcome.responses.resize(replies);
  return outcome;
}

}  // namespace

Company Company::with_ahead(Messages others) const {
  Company changed{std::move(others), behind, cut};
  if (!cut) return changed;
  if (cut->message < ahead.size()) {
    changed.cut.reset();
  } else {
    changed.cut->message = cut->message - ahead.size() + changed.ahead.size();
  }
  return changed;
}

Company Company::with_behind(Messages others) const {
  Company changed{ahead, std::move(others), cut};
  if (cut && cut->message > ahead.size()) changed.cut.reset();
  return changed;
}

Company company_around(const Messages& all, std::size_t place, const std::optional<Cut>& cut) {
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(place);
  return {Messages(all.begin(), at), Messages(at + 1, all.end()), cut};
}

Messages written(const std::string& message, const Company& company) {
  Messages all = company.ahead;
  all.push_back(message);
  all.insert(all.end(), company.behind.begin(), company.behind.end());
  return all;
}

// Who waits for the fewest would hear no answer that comes late behind one that need not come.
corpus::Step step_in_company(const std::string& message, const Company& company,
                             const Traits& traits) {
  corpus::Step step;
  std::size_t replies = 0;
  std::size_t least_before_cut = 0;
  for (auto& each : written(message, company)) {
    const auto due = corpus::count_replies(expectation_of(each, traits).expected.steps.front());
    replies += due.most;
    const std::size_t place = step.messages.size();
    if (company.cut && place == company.cut->message && company.cut->into == CutInto::fragments) {
      for (auto& [details, bytes] : fragments_of(each, *company.cut)) {
        step.frames.emplace(step.messages.size(), details);
        step.messages.emplace_back(std::move(bytes));
      }
      continue;
    }
    if (company.cut && place < company.cut->message) least_before_cut += due.least;
    step.messages.emplace_back(std::move(each));
  }
  step.accept.push_back(any_of_so_many(replies));
  step.write_at = cuts_of(message, company, *traits.binding);
  if (!step.write_at.empty()) step.write_after_replies = least_before_cut;
  return step;
}

std::vector<std::size_t> cuts_of(const std::string& message, const Company& company,
                                 const wire::Binding& binding) {
  if (!company.cut || binding.framing == nullptr) return {};
  const auto framing = binding.framing({});
  const Messages all = written(message, company);
  const std::size_t place = company.cut->message;
  if (place >= all.size()) return {};
  std::size_t before = 0;
  for (std::size_t i = 0; i < place; ++i) before += framing->encode(all[i]).size();
  return cuts_behind(before, framing->encode(all[place]), all[place], *company.cut);
}

std::string in_words(const Company& company) {
  if (!company.cut) return "only in one write with other messages";
  const bool is_alone = company.ahead.empty() && company.behind.empty();
  const std::string beside =
      is_alone ? "only where " : "only where it is written with others, and ";
  switch (company.cut->into) {
    case CutInto::writes:
      return beside + (is_alone ? "it arrives in pieces" : "their bytes arrive in pieces");
    case CutInto::fragments:
      return beside + (is_alone ? "it comes in fragments" : "one comes in fragments");
    case CutInto::records:
      return beside + "a part of one is a record of its own";
  }
  return {};
}

std::string plain_call(std::size_t bytes, std::size_t number) {
  const std::string end = "\",\"id\":" + std::to_string(kFirstId + number) + "}";
  std::string call = R"({"jsonrpc":"2.0","method":")" + std::string(kUnknownMethod);
  if (call.size() + end.size() < bytes) call.append(bytes - call.size() - end.size(), 'x');
  return call + end;
}

std::string first_call() {
  constexpr std::size_t kOfNobodyElse = 9000;
  return plain_call(0, kOfNobodyElse);
}

Company with_plain_calls(const Company& company) {
  Company plain = company;
  std::size_t number = 0;
  for (auto* list : {&plain.ahead, &plain.behind}) {
    for (auto& each : *list) each = plain_call(each.size(), ++number);
  }
  return plain;
}

}  // namespace jrpcheck::fuzz
