#include "cli/run_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "base/bytes.hpp"
#include "base/failure.hpp"
#include "base/utf8.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/say.hpp"
#include "reports/wrap.hpp"

namespace jrpcheck::cli {
namespace {

// A run that is over by then shows nothing.
constexpr milliseconds kBeforeFirst{100};
constexpr milliseconds kBetweenShown{200};
constexpr milliseconds kBeforeLog{2000};
constexpr milliseconds kBetweenLogs{10'000};
constexpr milliseconds kBetweenNews{2500};

constexpr std::size_t kLongestWhat = 40;  // columns, of 80
constexpr std::size_t kMostOfWhat = 1000;

// As much of the beginning as there is room for.
std::string cut_to(std::size_t columns, const std::string& text) {
  if (reports::columns_of(text) <= columns) return text;
  std::size_t end = 0;
  for (std::size_t left = columns - 3; end < text.size(); ++end) {
    if (!is_continuation(text[end]) && left-- == 0) break;
  }
  return text.substr(0, end) + "...";
}

long long seconds_since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin).count();
}

// A signal is for the thread that waits for the server.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

RunScreen::RunScreen(Kind kind) : kind_(kind) {
  if (kind_ == Kind::none) return;
  const NoSignals inherited;
  thread_ = std::jthread([this](const std::stop_token& stop) {
    // What it lacks ends the showing alone.
    static_cast<void>(failure_of([&] { keep_showing(stop); }));
  });
}

void RunScreen::begin(const std::string& what, microseconds at_most) {
  const std::lock_guard lock(mutex_);
  what_ = without_secrets(what);
  at_most_ = at_most;
  seen_.clear();
  done_ = total_ = 0;
  has_cases_ = false;
  failed_.clear();  // cases behind this run, or run anew
  phase_begin_ = Clock::now();
}

void RunScreen::seen(const std::string& what) {
  const std::lock_guard lock(mutex_);
  seen_ = without_secrets(what);
  const bool is_due = Clock::now() - shown_ >= kBetweenNews;
  if (kind_ == Kind::log && is_due) show();
}

std::string RunScreen::last_seen() {
  const std::lock_guard lock(mutex_);
  return seen_;
}

void RunScreen::step(std::size_t done, std::size_t total) {
  const std::lock_guard lock(mutex_);
  done_ = done;
  total_ = total;
}

void RunScreen::judged(const std::string& case_id, result::Verdict verdict) {
  const std::lock_guard lock(mutex_);
  if (verdict == result::Verdict::fail) {
    failed_.insert(case_id);
  } else {
    failed_.erase(case_id);
  }
}

void RunScreen::advance(std::size_t done, std::size_t total, const std::string& case_id) {
  const std::lock_guard lock(mutex_);
  done_ = done;
  total_ = total;
  has_cases_ = true;
  last_case_ = case_id;
}

void RunScreen::interrupt(const std::function<void()>& write) {
  const std::lock_guard lock(mutex_);
  if (is_shown_ && kind_ == Kind::live) std::cerr << "\r\033[K" << std::flush;
  write();
}

void RunScreen::end() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  if (is_shown_ && kind_ == Kind::live) std::cerr << "\r\033[K" << std::flush;
}

void RunScreen::keep_showing(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const bool is_live = kind_ == Kind::live;
  auto wait = is_live ? kBeforeFirst : kBeforeLog;
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, wait, [] { return false; });
    if (stop.stop_requested()) return;
    show();
    wait = is_live ? kBetweenShown : kBetweenLogs;
  }
}

void RunScreen::show() {
  const std::string text = line();
  is_shown_ = true;
  shown_ = Clock::now();
  if (kind_ == Kind::log) {
    say(text);
    return;
  }
  // What is longer than the line would wrap, and stay.
  std::cerr << "\r\033[K" << cut_to(std::max<std::size_t>(terminal_width(), 11) - 1, text)
            << std::flush;
}

std::string RunScreen::line() const {
  if (has_cases_) {
    return fmt::format("{} of {} cases, {} failed, {} s  {}", done_, total_, failed_.size(),
                       seconds_since(begin_), last_case_);
  }
  std::string text = cut_to(kLongestWhat, to_visible(what_, kMostOfWhat));
  if (total_ > 0) text += fmt::format(" {}/{}", done_, total_);
  const auto elapsed = seconds_since(phase_begin_);
  text += fmt::format(", {} s", elapsed);
  const auto most = std::chrono::duration_cast<std::chrono::seconds>(at_most_).count();
  if (most >= elapsed && most > 0) text += fmt::format(" of {} s", most);
  if (!seen_.empty()) text += ": " + to_visible(seen_, kMostOfWhat);
  return text;
}

}  // namespace jrpcheck::cli
