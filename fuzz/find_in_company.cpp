#include "fuzz/find_in_company.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "fuzz/blame.hpp"
#include "fuzz/reduce.hpp"
#include "judge/envelope.hpp"

namespace jrpcheck::fuzz {
namespace {

constexpr int kTimes = 2;
constexpr std::size_t kCompanyTries = 300;
constexpr milliseconds kReducingCompany{8'000};
constexpr std::size_t kAsShortAsCanBe = 0;
// The numbers of plain calls that are suspected themselves, beside those of companions.
constexpr std::size_t kFirstSuspected = 2000;
// So many of one group are tried: plain calls are all alike.
constexpr std::size_t kMostPlain = 1;
constexpr std::size_t kMostSuspected = 4;

// A message in the place of another, cut where that was.
std::optional<Company> company_of(const std::string& other, const Suspicion& suspicion) {
  Company company = *suspicion.company;
  if (!company.cut || company.cut->message != company.ahead.size()) return company;
  company.cut = same_cut(suspicion.sent, *company.cut, other);
  if (!company.cut) return std::nullopt;
  return company;
}

std::size_t bytes_of(const Messages& messages) {
  std::size_t bytes = 0;
  for (const auto& each : messages) bytes += each.size();
  return bytes;
}

class CompanyReducer {
 public:
  CompanyReducer(Suspicion suspicion, Repeater& repeater)
      : best_(std::move(suspicion)),
        original_(best_.finding),
        was_faulty_(repeater.is_faulty(best_.sent)),
        repeater_(repeater),
        deadline_(Deadline::in(kReducingCompany)) {}

  Suspicion run() {
    Company uncut = *best_.company;
    if (uncut.cut) {
      uncut.cut.reset();
      shows(best_.sent, uncut);
    }
    reduce_list(
        [](const Company& company) { return company.behind; },
        [](const Company& company, Messages list) { return company.with_behind(std::move(list)); });
    if (!make_one_of_those_ahead()) {
      reduce_list([](const Company& company) { return company.ahead; },
                  [](const Company& company, Messages list) {
                    return company.with_ahead(std::move(list));
                  });
    }
    // Where a length counts, what the message loses must not be missing yet.
    const std::string whole = best_.sent;
    reduce(
        whole,
        [this](const std::string& candidate) {
          const auto company = company_of(candidate, best_);
          return company && shows(candidate, *company);
        },
        kCompanyTries);
    if (best_.company->ahead.size() == 1) shorten_the_one_ahead();
    return std::move(best_);
  }

 private:
  bool shows(const std::string& message, const Company& company) {
    if (deadline_.passed()) return false;
    auto found = repeater_.repeat_in_company(message, company, &original_);
    if (!found || !is_the_same(*found)) return false;
    best_ = *std::move(found);
    return true;
  }

  bool is_the_same(const Suspicion& found) const {
    if (judge::is_envelope_requirement(found.finding.requirement)) {
      return found.finding.requirement == original_.requirement;
    }
    const bool is_fit = was_faulty_ || !repeater_.is_faulty(found.sent);
    return is_fit && explains(found.finding, original_);
  }

  template <typename Get, typename With>
  void reduce_list(Get get, With with) {
    if (get(*best_.company).empty() || shows(best_.sent, with(*best_.company, {}))) return;
    for (std::size_t size = (get(*best_.company).size() + 1) / 2; size > 0; size /= 2) {
      for (std::size_t from = 0; from < get(*best_.company).size();) {
        Messages fewer = get(*best_.company);
        const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(from);
        const auto count = std::min(size, fewer.size() - from);
        fewer.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
        if (!shows(best_.sent, with(*best_.company, std::move(fewer)))) from += size;
      }
    }
  }

  // What counts of those before it may be their length alone.
  bool make_one_of_those_ahead() {
    const Messages ahead = best_.company->ahead;
    if (ahead.empty() || shows(best_.sent, best_.company->with_ahead({}))) return true;
    return is_one_ahead(kAsShortAsCanBe) || is_one_ahead(bytes_of(ahead) + ahead.size());
  }

  void shorten_the_one_ahead() {
    std::size_t most = bytes_of(best_.company->ahead);
    std::size_t least = plain_call(kAsShortAsCanBe, 0).size();
    if (most <= least || is_one_ahead(least)) return;
    while (least + 1 < most) {
      const std::size_t middle = least + (most - least) / 2;
      (is_one_ahead(middle) ? most : least) = middle;
    }
  }

  bool is_one_ahead(std::size_t bytes) {
    return shows(best_.sent, best_.company->with_ahead({plain_call(bytes, 0)}));
  }

  Suspicion best_;
  const judge::Finding original_;
  const bool was_faulty_;
  Repeater& repeater_;
  Deadline deadline_;
};

bool is_wrong_each_time(const Suspicion& suspicion, const Company& company, Repeater& repeater) {
  for (int i = 0; i < kTimes; ++i) {
    if (!repeater.repeat_in_company(suspicion.sent, company, &suspicion.finding)) return false;
  }
  return true;
}

// In turns: each is answered before the next is sent.
bool is_right_otherwise(const Suspicion& suspicion, const Messages& ahead, Repeater& repeater) {
  for (int i = 0; i < kTimes; ++i) {
    repeater.begin_connection();
    if (repeater.repeat_carefully(suspicion.sent, &suspicion.finding)) return false;
    repeater.begin_connection();
    if (repeater.repeat_carefully(suspicion.sent, &suspicion.finding, ahead)) return false;
  }
  return true;
}

Messages plain_calls_like(const Messages& messages) {
  Messages calls;
  for (const auto& each : messages) {
    calls.push_back(plain_call(each.size(), kFirstSuspected + calls.size()));
  }
  return calls;
}

std::optional<Suspicion> first_shown(const std::vector<Suspicion>& suspicions, std::size_t most,
                                     Repeater& repeater) {
  for (std::size_t i = 0; i < std::min(most, suspicions.size()); ++i) {
    const auto& each = suspicions[i];
    if (auto shown = find_in_company(each, *each.company, repeater)) return shown;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Suspicion> find_in_company(const Suspicion& suspicion, const Company& company,
                                         Repeater& repeater) {
  for (const auto& each : {with_plain_calls(company), repeater.without_open_ones(company)}) {
    if (!is_wrong_each_time(suspicion, each, repeater)) continue;
    if (!is_right_otherwise(suspicion, each.ahead, repeater)) return std::nullopt;
    return repeater.repeat_in_company(suspicion.sent, each, &suspicion.finding);
  }
  return std::nullopt;
}

// What is lost is mostly lost whatever it says.
Lost find_lost(const Messages& together, const std::optional<Cut>& cut, Repeater& repeater) {
  const auto plain = repeater.wrong_ones_of(plain_calls_like(together), cut);
  if (!plain) return {.is_slow = true};
  if (auto shown = first_shown(*plain, kMostPlain, repeater)) return {.shown = std::move(shown)};
  const Messages as_they_are = repeater.without_open_ones({together, {}, cut}).ahead;
  const auto others = repeater.wrong_ones_of(as_they_are, cut);
  if (!others) return {};
  return {.shown = first_shown(*others, kMostSuspected, repeater)};
}

Suspicion reduced_in_company(Suspicion suspicion, Repeater& repeater) {
  Suspicion reduced = CompanyReducer(suspicion, repeater).run();
  if (!is_wrong_each_time(reduced, *reduced.company, repeater)) return suspicion;
  return reduced;
}

}  // namespace jrpcheck::fuzz
