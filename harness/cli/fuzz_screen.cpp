#include "cli/fuzz_screen.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/bytes.hpp"
#include "base/number_of.hpp"
#include "cli/verdict_options.hpp"
#include "cli/write_file.hpp"

namespace jrpcheck::cli {
namespace {

constexpr milliseconds kBetweenLines{250};

std::string edges_text(const fuzz::Tally& tally) {
  return tally.edges > 0 ? ", " + number_of(tally.edges, "edge") : "";
}

// The same message again and again is one row.
void add_before(const std::vector<std::string>& before, reports::FindingText& text) {
  for (auto each = before.begin(); each != before.end();) {
    const auto other =
        std::find_if(each, before.end(), [&each](const auto& message) { return message != *each; });
    const auto times = static_cast<std::size_t>(other - each);
    text.before.emplace_back("after", *each);
    if (times > 1) text.before.emplace_back("", number_of(times, "time"));
    each = other;
  }
}

void add_company(const fuzz::Finding& finding, reports::FindingText& text) {
  const auto& company = *finding.company;
  for (const auto& message : company.ahead) text.before.emplace_back("ahead", message);
  for (const auto& message : company.behind) text.behind.emplace_back("behind", message);
  for (const auto cut : fuzz::cuts_of(finding)) {
    text.behind.emplace_back("pieces", fmt::format("cut before byte {} of what is written", cut));
  }
  if (company.cut && company.cut->into == fuzz::CutInto::fragments) {
    text.behind.emplace_back("frames",
                             fmt::format("two for message {} of these, cut before byte {} of it",
                                         company.cut->message + 1, company.cut->offset));
  }
}

}  // namespace

microseconds processor_time() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto all = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + microseconds(time.tv_usec);
  };
  return all(used.ru_utime) + all(used.ru_stime);
}

reports::FindingText text_of(const fuzz::Finding& finding) {
  reports::FindingText text;
  text.sentence = fuzz::sentence_of(finding);
  add_before(finding.before, text);
  if (finding.company) add_company(finding, text);
  text.sent = finding.sent;
  text.got = finding.actual;
  text.expected = finding.expected;
  text.reproduce = finding.reproduce;
  return text;
}

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
  const reports::Palette palette(
      wants_color(Color::automatic, quiet_ ? STDERR_FILENO : STDOUT_FILENO));
  const bool warns = finding.severity == corpus::Verdict::warn;
  const std::string label = palette.verdict(warns ? result::Verdict::warn : result::Verdict::fail,
                                            warns ? "WARN" : "FAIL");
  const std::string flaky =
      finding.is_flaky() ? fmt::format("(flaky: {} of {} times)", finding.shown, finding.tries)
                         : "";
  out() << reports::rule_heading(palette, label, finding.requirement,
                                 ledger_.find(finding.requirement), flaky)
        << without_log_commands(reports::finding_lines(text_of(finding)))
        << reports::finding_row("reduced", "in " + number_of(finding.reduced_in, "exchange"))
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
  out() << reports::finding_row("stored", path) << "\n" << std::flush;
}

void FuzzScreen::conclude(const fuzz::Campaign& campaign, const std::string& interruption) const {
  clear();
  const auto tally = campaign.tally();
  const auto findings = campaign.findings().size();
  const double seconds = std::chrono::duration<double>(tally.took).count();
  const double exchanges = static_cast<double>(tally.exchanges);
  // What it costs does not depend on what else runs.
  const double spent = std::chrono::duration<double>(processor_time() - spent_before_).count();
  out() << fmt::format(
      "\n{} in {:.1f} s ({:.0f}/s, {:.0f} µs of processor time each), {} of replies{}, {} "
      "answered\n",
      number_of(tally.exchanges, "exchange"), seconds, exchanges / std::max(seconds, 0.001),
      1e6 * spent / std::max(exchanges, 1.0), number_of(tally.shapes, "shape"), edges_text(tally),
      number_of(tally.answered_calls, "valid call"));
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
    out() << fmt::format("the server was started or reached anew {}\n",
                         number_of(tally.restarts, "time"));
  }
  if (tally.unconfirmed > 0) {
    out() << fmt::format("{} not confirmed when the message was sent again: no finding\n",
                         number_of(tally.unconfirmed, "suspicion"));
  }
  for (const auto& each : campaign.sightings()) out() << "  " << in_words(each) << "\n";
  if (tally.unsettled > 0) {
    out() << fmt::format("{} not settled when the campaign was ended: no finding\n",
                         number_of(tally.unsettled, "suspicion"));
  }
  out() << number_of(findings, "finding") << "\n" << std::flush;
}

}  // namespace jrpcheck::cli
