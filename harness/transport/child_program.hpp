// A child process as a Program, and its pipes as a stream that keeps it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "transport/peer.hpp"

namespace jrpcheck::transport {

class ChildProgram : public Program {
 public:
  explicit ChildProgram(std::unique_ptr<ChildProcess> process,
                        std::shared_ptr<const EmptyFolder> folder = nullptr)
      : folder_(std::move(folder)), process_(std::move(process)) {}

  std::optional<ExitStatus> ended(Deadline deadline) override {
    return process_->await_exit(deadline);
  }
  std::string standard_error_tail() override {
    const std::lock_guard lock(mutex_);
    return process_->standard_error_tail();
  }
  void end(microseconds grace) override { process_->end(grace); }
  std::optional<pid_t> group() const override { return process_->group(); }
  const EmptyFolder* folder() const override { return folder_.get(); }

  ChildProcess& process() { return *process_; }

 private:
  std::shared_ptr<const EmptyFolder> folder_;  // goes when the process has gone
  std::mutex mutex_;                           // one reader of the last words at a time
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace jrpcheck::transport
