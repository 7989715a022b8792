// What people read of traffic: a line for each finding, and a summary in the end.
#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "base/number_of.hpp"
#include "traffic/account.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Side;

constexpr std::size_t kMethodsShown = 8;
constexpr std::size_t kShownOfMessage = 160;

std::size_t known_in(const corpus::Corpus& corpus, const std::set<std::string>& ids,
                     const std::vector<const wire::Binding*>& carried) {
  return static_cast<std::size_t>(std::ranges::count_if(ids, [&](const auto& id) {
    const auto* known = corpus.ledger.find(id);
    return known != nullptr &&
           (known->class_name == "client" || std::ranges::any_of(carried, [&](const auto* each) {
              return wire::applies_class(each, known->class_name) ||
                     (corpus.profile.has_class(known->class_name) &&
                      corpus.profile.applies_class(each, known->class_name));
            }));
  }));
}

}  // namespace

std::string Account::summary() const {
  const auto& client = judge_.counts(Side::client);
  const auto& server = judge_.counts(Side::server);
  std::string text =
      fmt::format("{} ({} unanswered), {}, {}", number_of(client.calls, "call"), client.unanswered,
                  number_of(client.notifications, "notification"),
                  fmt::format("{} batch{}", client.batches, client.batches == 1 ? "" : "es"));
  if (server.calls + server.notifications > 0) {
    text += fmt::format("; of the server {} and {}", number_of(server.calls, "call"),
                        number_of(server.notifications, "notification"));
  }
  const bool has_times = all_.worst() > microseconds(0);  // some captures have none
  if (has_times) {
    text += fmt::format("; median {}, worst {}", duration_text(all_.median()),
                        duration_text(all_.worst()));
  }
  text += "\n";
  std::vector<const std::pair<const std::string, Method>*> busiest;
  for (const auto& each : methods_) busiest.push_back(&each);
  std::ranges::stable_sort(busiest, [](const auto* a, const auto* b) {
    return a->second.latencies.count() > b->second.latencies.count();
  });
  const std::size_t shown = std::min(busiest.size(), kMethodsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [name, method] = *busiest[i];
    text += fmt::format(
        "  {:<32} {:>7}{}, median {}, worst {}\n", to_visible(name, 60), method.latencies.count(),
        method.errors > 0 ? fmt::format(" ({})", number_of(method.errors, "error")) : "",
        duration_text(method.latencies.median()), duration_text(method.latencies.worst()));
  }
  if (shown < busiest.size()) {
    text += fmt::format("  and {} more\n", number_of(busiest.size() - shown, "method"));
  }
  std::size_t exercised = 0;
  std::size_t all = 0;
  for (const Side side : {Side::client, Side::server}) {
    auto shown_ids = judge::shown_by_traffic(side);
    auto of_side = judge_.exercised(side);
    // Of versions that nobody speaks nothing can be shown.
    if (side == Side::server) {
      shown_ids.merge(servers_.requirements());
      of_side.merge(servers_.exercised());
    }
    all += known_in(corpus_, shown_ids, bindings());
    std::erase_if(of_side, [&](const auto& id) { return !shown_ids.contains(id); });
    exercised += known_in(corpus_, of_side, bindings());
  }
  return text +
         fmt::format("exercised {} of the {} requirements that traffic can show\n", exercised, all);
}

std::string finding_line(const judge::TrafficFinding& finding, const std::string& time) {
  const bool fails = finding.finding.severity == corpus::Verdict::fail;
  return fmt::format("{}  {}  {}  {:<24}  {}  {}", time, name_of(finding.side),
                     fails ? "FAIL" : "WARN", finding.finding.requirement,
                     judge::sentence_of(finding.finding),
                     to_visible(finding.finding.actual, kShownOfMessage));
}

}  // namespace jrpcheck::traffic
