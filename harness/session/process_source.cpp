#include <utility>

#include "session/stream_source.hpp"
#include "transport/child_process.hpp"

namespace jrpcheck::session {
namespace {

using transport::ChildProcess;

// Enough for a program to notice end of input and leave by itself; a hang costs no more than this.
constexpr milliseconds kProcessGrace{250};

class ProcessSource : public StreamSource {
 public:
  ProcessSource(std::vector<std::string> command, transport::Guardian& guardian)
      : command_(std::move(command)), guardian_(guardian) {}

  ~ProcessSource() override {
    if (process_) process_->end(kProcessGrace);
  }

  Result<transport::ByteStream*> open() override {
    process_.reset();
    return open_beside();
  }

  Result<transport::ByteStream*> open_beside() override {
    former_ = std::move(process_);
    auto started = ChildProcess::start(command_, ChildProcess::Output::piped, guardian_);
    if (!started) return started.error();
    process_ = *std::move(started);
    ++generation_;
    return &process_->stream();
  }

  void end_former() override { former_.reset(); }

  std::optional<std::string> former_ended(Deadline deadline) override {
    return how_ended(former_.get(), deadline);
  }
  std::string former_standard_error_tail() override { return last_words(former_.get()); }

  std::optional<std::string> ended(Deadline deadline) override {
    return how_ended(process_.get(), deadline);
  }
  std::string standard_error_tail() override { return last_words(process_.get()); }

  std::optional<pid_t> process_group() const override {
    return process_ ? std::optional(process_->group()) : std::nullopt;
  }

  unsigned long long generation() const override { return generation_; }

 private:
  static std::optional<std::string> how_ended(ChildProcess* process, Deadline deadline) {
    const auto status = process != nullptr ? process->await_exit(deadline) : std::nullopt;
    return status ? std::optional(status->text()) : std::nullopt;
  }
  static std::string last_words(ChildProcess* process) {
    return process != nullptr ? process->standard_error_tail() : std::string();
  }

  std::vector<std::string> command_;
  transport::Guardian& guardian_;
  std::unique_ptr<ChildProcess> process_;
  std::unique_ptr<ChildProcess> former_;
  unsigned long long generation_ = 0;
};

}  // namespace

std::unique_ptr<StreamSource> make_process_source(std::vector<std::string> command,
                                                  transport::Guardian& guardian) {
  return std::make_unique<ProcessSource>(std::move(command), guardian);
}

}  // namespace jrpcheck::session
