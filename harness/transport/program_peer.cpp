#include <utility>

#include "base/interruption.hpp"
#include "transport/child_program.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::transport {
namespace {

class Pipes : public ByteStream {
 public:
  explicit Pipes(std::shared_ptr<ChildProgram> program) : program_(std::move(program)) {}

  Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    return program_->process().stream().transfer(out, in, deadline);
  }
  void close_write() override { program_->process().stream().close_write(); }
  Polled polled() override { return program_->process().stream().polled(); }

 private:
  std::shared_ptr<ChildProgram> program_;
};

class ProgramPeer : public Peer {
 public:
  ProgramPeer(std::vector<std::string> command, Guardian& guardian, bool gives_folders)
      : command_(std::move(command)), guardian_(guardian), gives_folders_(gives_folders) {}

  Result<bool> start(Deadline) override { return true; }

  Result<Connection> connect(Deadline) override {
    // What begins now would only have to be ended.
    if (is_interrupted()) return Error{interruption_text()};
    std::shared_ptr<const EmptyFolder> folder;
    if (gives_folders_) {
      auto made = EmptyFolder::make(guardian_);
      if (!made) return made.error();
      folder = *std::move(made);
    }
    auto started = ChildProcess::start(command_, ChildProcess::Output::piped, guardian_);
    if (!started) return started.error();
    auto program = std::make_shared<ChildProgram>(*std::move(started), std::move(folder));
    ++generation_;
    auto stream = std::make_unique<Pipes>(program);
    return Connection{std::move(stream), std::move(program)};
  }

  // The next connection has a new program.
  Result<bool> revive(Generation, Deadline) override { return true; }
  Generation generation() const override { return generation_; }
  bool is_shared() const override { return false; }

 private:
  std::vector<std::string> command_;
  Guardian& guardian_;
  bool gives_folders_;
  Generation generation_ = 0;
};

}  // namespace

std::unique_ptr<Peer> make_program_peer(std::vector<std::string> command, Guardian& guardian,
                                        bool gives_folders) {
  return std::make_unique<ProgramPeer>(std::move(command), guardian, gives_folders);
}

}  // namespace jrpcheck::transport
