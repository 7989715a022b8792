// What a person sees while a run goes on: what it does, how far it is, how many cases have failed.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "base/deadline.hpp"
#include "run/progress.hpp"

namespace jrpcheck::cli {

/// Writes to standard error, from a thread of its own: also when nothing happens for a minute.
class RunScreen : public run::Progress {
 public:
  enum class Kind {
    none,
    live,  ///< one line on a terminal that is written over
    log,   ///< lines now and then, for a file; none of a run that ends soon
  };
  explicit RunScreen(Kind kind);
  ~RunScreen() override { end(); }
  RunScreen(const RunScreen&) = delete;
  RunScreen& operator=(const RunScreen&) = delete;

  /// What may hold a secret is shown without it.
  void begin(const std::string& what, microseconds at_most) override;
  void seen(const std::string& what) override;
  std::string last_seen();
  void step(std::size_t done, std::size_t total) override;
  void judged(const std::string& case_id, result::Verdict verdict) override;
  void advance(std::size_t done, std::size_t total, const std::string& case_id) override;

  /// Something else is written meanwhile, in place of the line.
  void interrupt(const std::function<void()>& write);
  /// Takes the line away, so that what follows stands alone. Nothing is shown after this.
  void end();

 private:
  void keep_showing(const std::stop_token& stop);
  void show();
  std::string line() const;

  const Kind kind_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any wake_;
  std::string what_ = "starting";
  std::string seen_;
  microseconds at_most_{0};
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  bool has_cases_ = false;  // `done_` and `total_` are of cases
  std::string last_case_;
  std::set<std::string> failed_;
  bool is_shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point phase_begin_ = begin_;
  Clock::time_point shown_ = begin_;
  std::jthread thread_;
};

}  // namespace jrpcheck::cli
