#include "fuzz/company.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/utf8.hpp"
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

// By an odd number of backslashes before it.
bool is_escaped(std::string_view message, std::size_t at) {
  std::size_t backslashes = 0;
  while (backslashes < at && message[at - backslashes - 1] == '\\') ++backslashes;
  return backslashes % 2 == 1;
}

bool is_quote(std::string_view message, std::size_t at) {
  return message[at] == '"' && !is_escaped(message, at);
}

bool is_of_a_token(char each) {
  return is_alphanumeric(each) || each == '.' || each == '-' || each == '+';
}

// Where a cut before the byte at this offset is, which is not the first.
CutPlace place_between(std::string_view message, std::size_t offset, bool in_string) {
  if (is_continuation(static_cast<unsigned char>(message[offset]))) return CutPlace::character;
  if (in_string && is_escaped(message, offset)) return CutPlace::escape;
  if (!in_string && is_of_a_token(message[offset - 1]) && is_of_a_token(message[offset])) {
    return CutPlace::token;
  }
  if (offset == 1) return CutPlace::first_byte;
  return offset + 1 == message.size() ? CutPlace::last_byte : CutPlace::middle;
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
  for (auto& each : written(message, company)) {
    const auto due = corpus::count_replies(expectation_of(each, traits).expected.steps.front());
    if (company.cut && step.messages.size() < company.cut->message) {
      step.write_after_replies += due.least;
    }
    replies += due.most;
    step.messages.emplace_back(std::move(each));
  }
  step.accept.push_back(any_of_so_many(replies));
  step.write_at = cuts_of(message, company, *traits.binding);
  return step;
}

std::vector<std::size_t> cuts_of(const std::string& message, const Company& company,
                                 const wire::Binding& binding) {
  if (!company.cut || binding.framing == nullptr) return {};
  const auto framing = binding.framing({});
  const Messages all = written(message, company);
  std::size_t at = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string framed = framing->encode(all[i]);
    if (i == company.cut->message) {
      return {at + begin_within(framed, all[i]) + company.cut->offset};
    }
    at += framed.size();
  }
  return {};
}

std::string in_words(const Company& company) {
  const bool is_alone = company.ahead.empty() && company.behind.empty();
  if (company.cut) {
    return is_alone ? "only where it arrives in pieces"
                    : "only where it is written with others, and their bytes arrive in pieces";
  }
  return "only in one write with other messages";
}

// Where it is masked it is the end.
std::size_t begin_within(const std::string& framed, const std::string& message) {
  const auto found = framed.find(message);
  return found != std::string::npos ? found : framed.size() - message.size();
}

std::optional<std::size_t> cut_at(CutPlace place, std::string_view message) {
  if (message.size() < 2) return std::nullopt;
  if (place == CutPlace::middle) return message.size() / 2;
  bool in_string = false;
  for (std::size_t i = 1; i < message.size(); ++i) {
    if (is_quote(message, i - 1)) in_string = !in_string;
    if (place_between(message, i, in_string) == place) return i;
  }
  return std::nullopt;
}

CutPlace place_of_cut(std::string_view message, std::size_t offset) {
  bool in_string = false;
  for (std::size_t i = 1; i <= offset; ++i) {
    if (is_quote(message, i - 1)) in_string = !in_string;
  }
  return place_between(message, offset, in_string);
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
