#include "cli/fuzz_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/bytes.hpp"
#include "cli/write_file.hpp"

namespace jrpcheck::cli {
namespace {

constexpr milliseconds kBetweenLines{250};
// Of the message, on a screen; the stored finding has all of it.
constexpr std::size_t kMostShown = 2000;

std::string edges_text(const fuzz::Tally& tally) {
  return tally.edges > 0 ? fmt::format(", {} edges", tally.edges) : "";
}

}  // namespace

std::ostream& FuzzScreen::out() const { return quiet_ ? std::cerr : std::cout; }

void FuzzScreen::clear() const {
  if (live_) std::cerr << "\r\033[K" << std::flush;
}

void FuzzScreen::progress(const fuzz::Tally& tally, std::size_t findings) {
  if (!live_ || !next_.passed()) return;
  const auto since = std::chrono::duration<double>(Clock::now() - last_).count();
  const double rate = static_cast<double>(tally.exchanges - last_exchanges_) / since;
  std::cerr << fmt::format("\r\033[K{} exchanges, {:.0f}/s, {} shapes of replies{}, {} findings",
                           tally.exchanges, rate, tally.shapes, edges_text(tally), findings)
            << std::flush;
  last_ = Clock::now();
  last_exchanges_ = tally.exchanges;
  next_ = Deadline::in(kBetweenLines);
}

void FuzzScreen::found(const fuzz::Finding& finding) {
  clear();
  const bool warns = finding.severity == corpus::Verdict::warn;
  const std::string flaky =
      finding.is_flaky() ? fmt::format("  (flaky: {} of {} times)", finding.shown, finding.tries)
                         : "";
  std::string before;
  for (const auto& message : finding.before) {
    before += fmt::format("  after     {}\n", to_visible(message, kMostShown));
  }
  out() << fmt::format(
               "{} {}{}\n  {}\n  expected  {}\n  actual    {}\n{}  sent      {}\n  again     {}\n"
               "  reduced in {} exchanges\n",
               warns ? "WARN" : "FAIL", finding.requirement, flaky, finding.message,
               finding.expected, finding.actual, before, to_visible(finding.sent, kMostShown),
               finding.reproduce, finding.reduced_in)
        << std::flush;
  store(finding);
}

void FuzzScreen::store(const fuzz::Finding& finding) {
  if (folder_.empty()) return;
  const std::string path = folder_ + "/" + fuzz::file_name_of(finding);
  const auto written = write_file(path, fuzz::to_text(finding));
  if (!written) {
    trouble_ = written.error().message;
    return;
  }
  out() << "  stored    " << path << "\n" << std::flush;
}

void FuzzScreen::conclude(const fuzz::Campaign& campaign, const std::string& interruption) const {
  clear();
  const auto tally = campaign.tally();
  const auto findings = campaign.findings().size();
  const double seconds = std::chrono::duration<double>(tally.took).count();
  out() << fmt::format(
      "\n{} exchanges in {:.1f} s ({:.0f}/s), {} shapes of replies{}, {} valid calls answered\n",
      tally.exchanges, seconds, static_cast<double>(tally.exchanges) / std::max(seconds, 0.001),
      tally.shapes, edges_text(tally), tally.answered_calls);
  if (tally.memory) {
    constexpr double kMebibyte = 1U << 20U;
    out() << fmt::format("the server held {:.0f} MiB of memory at first, and {:.0f} MiB at last\n",
                         static_cast<double>(tally.memory->at_first) / kMebibyte,
                         static_cast<double>(tally.memory->now) / kMebibyte);
  }
  if (campaign.has_grown_unexplained()) {
    out() << "it grew beyond --max-growth, but steadily with none of the latest messages: no "
             "finding\n";
  }
  if (!interruption.empty()) out() << "partial: " << interruption << "\n";
  if (tally.restarts > 0) {
    out() << fmt::format("{} times the server was started or reached anew\n", tally.restarts);
  }
  if (tally.unconfirmed > 0) {
    out() << fmt::format("{} suspicions were not confirmed, and are no findings\n",
                         tally.unconfirmed);
  }
  out() << fmt::format("{} finding{}\n", findings, findings == 1 ? "" : "s") << std::flush;
}

}  // namespace jrpcheck::cli
