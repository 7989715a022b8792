// What a person sees of a campaign: how it is doing, each finding as it comes, and how it ended.
#pragma once

#include <string>

#include "base/deadline.hpp"
#include "fuzz/campaign.hpp"
#include "reports/finding_text.hpp"

namespace jrpcheck::cli {

/// A finding as every command shows it.
reports::FindingText text_of(const fuzz::Finding& finding);

/// Of this program, without those that it has started.
microseconds processor_time();

class FuzzScreen : public fuzz::Observer {
 public:
  /// `live`: standard error is a terminal. `folder` takes the findings; empty: none does.
  /// `quiet`: standard output belongs to a report. The ledger must outlive this.
  FuzzScreen(bool live, std::string folder, bool quiet, const corpus::Ledger& ledger)
      : live_(live), folder_(std::move(folder)), quiet_(quiet), ledger_(ledger) {}

  void progress(const fuzz::Tally& tally, std::size_t findings) override;
  void found(const fuzz::Finding& finding) override;
  /// The sums, when it is over. `interruption`: what ended it, where something did.
  void conclude(const fuzz::Campaign& campaign, const std::string& interruption) const;

  /// Takes the line away, so that what follows stands alone.
  void clear() const;
  /// Not empty: a finding could not be written, and why.
  const std::string& trouble() const { return trouble_; }

 private:
  std::ostream& out() const;
  void store(const fuzz::Finding& finding);

  bool live_;
  std::string folder_;
  bool quiet_;
  const corpus::Ledger& ledger_;
  std::string trouble_;
  Clock::time_point last_ = Clock::now();
  unsigned long long last_exchanges_ = 0;
  microseconds spent_before_ = processor_time();
  Deadline next_ = Deadline::in(milliseconds(250));
};

}  // namespace jrpcheck::cli
