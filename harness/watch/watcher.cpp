#include "watch/watcher.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include "base/failure.hpp"
#include "transport/byte_stream.hpp"
#include "transport/child_program.hpp"
#include "watch/relay.hpp"

namespace jrpcheck::watch {
namespace {

using transport::ByteStream;
using transport::Descriptor;

constexpr std::chrono::seconds kForConnecting{10};
constexpr std::chrono::seconds kForEnding{5};
// Where the time of the whole is up.
constexpr milliseconds kForEndingLate{500};

Descriptor copy_of(int descriptor) {
  return Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

// The flags of what is open there, which whoever started us shares, are in the end what they were.
class KeptFlags {
 public:
  explicit KeptFlags(Descriptor descriptor)
      : descriptor_(std::move(descriptor)), flags_(::fcntl(descriptor_.get(), F_GETFL)) {}
  ~KeptFlags() {
    if (descriptor_.is_open()) ::fcntl(descriptor_.get(), F_SETFL, flags_);
  }
  KeptFlags(const KeptFlags&) = delete;
  KeptFlags& operator=(const KeptFlags&) = delete;

 private:
  Descriptor descriptor_;
  int flags_;
};

// Standard input and output, and nobody else's here: their end is that of the last descriptor.
class StandardStreams {
 public:
  StandardStreams() {
    const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(nothing.get(), STDOUT_FILENO);
  }

  ByteStream& stream() { return *stream_; }

 private:
  KeptFlags input_{copy_of(STDIN_FILENO)};
  // Nobody waits for the end of a terminal.
  KeptFlags output_{::isatty(STDOUT_FILENO) != 0 ? copy_of(STDOUT_FILENO) : Descriptor()};
  std::unique_ptr<ByteStream> stream_ =
      transport::make_pipe_stream(copy_of(STDIN_FILENO), copy_of(STDOUT_FILENO));
};

struct Carrier {
  std::thread thread;
  std::atomic<bool> is_done{false};
};

void join_finished(std::list<Carrier>& carriers, bool all) {
  for (auto each = carriers.begin(); each != carriers.end();) {
    const auto here = each++;
    if (!all && !here->is_done) continue;
    here->thread.join();
    carriers.erase(here);
  }
}

}  // namespace

Result<transport::ExitStatus> watch_program(const std::vector<std::string>& command,
                                            transport::Guardian& guardian, JournalWriter& journal) {
  using transport::ChildProcess;
  auto started = ChildProcess::start(command, ChildProcess::Output::shown, guardian);
  if (!started) return started.error();
  transport::ChildProgram program(*std::move(started));
  {
    StandardStreams standard;
    relay({standard.stream(), program.process().stream(), &program}, 1, journal);
  }
  // It has its time to leave by itself, as it would if nobody stood between.
  while (!is_interrupted() && !program.ended(Deadline::in(kForEnding))) {
  }
  if (!program.ended(Deadline::firmly_in(microseconds(0)))) {
    program.end(is_interrupted() && !is_signalled() ? microseconds(kForEndingLate)
                                                    : microseconds(kForEnding));
  }
  const auto status = program.ended(Deadline::firmly_in(kForEnding));
  if (!status) return Error{"the server could not be ended"};
  return *status;
}

Result<bool> watch_server(transport::Listener& listener, const transport::Dial& dial,
                          JournalWriter& journal,
                          const std::function<void(const std::string&)>& complain) {
  constexpr milliseconds kLook{1000};
  std::list<Carrier> carriers;
  std::uint32_t connection = 0;
  std::atomic<bool> is_reached{false};
  std::atomic<bool> is_missed{false};
  std::mutex mutex;
  std::string lacked;  // guarded by the mutex
  const auto is_done = [&](const std::function<void()>& work) {
    const std::string failure = failure_of(work);
    const std::lock_guard lock(mutex);
    if (failure.empty() || failure == lacked) return failure.empty();
    complain(failure);
    lacked = failure;
    return false;
  };
  const auto carry = [&](ByteStream& client, std::uint32_t number) {
    auto server = dial(Deadline::in(kForConnecting));
    if (server) {
      is_reached = true;
      relay({client, **server}, number, journal);
    } else {
      client.reset();  // as a port where nobody listens
      is_missed = is_missed || !is_interrupted();
      complain(server.error().message);
    }
  };
  const auto begin = [&](std::unique_ptr<ByteStream> client) {
    std::list<Carrier> one(1);
    one.front().thread =
        std::thread([&, &carrier = one.front(), number = ++connection, client = std::move(client)] {
          if (!is_done([&] { carry(*client, number); })) client->reset();
          carrier.is_done = true;
        });
    carriers.splice(carriers.end(), one);
  };
  while (!is_interrupted()) {
    std::unique_ptr<ByteStream> client;
    // Where there are no more descriptors, who comes waits until one is free.
    const bool has_looked = is_done([&] { client = listener.accept(Deadline::in(kLook)); });
    if (!has_looked) transport::wait_until(Deadline::in(kLook));
    join_finished(carriers, false);
    if (client) is_done([&] { begin(std::move(client)); });
  }
  join_finished(carriers, true);
  if (!lacked.empty()) return Error{"not every connection could be carried: " + lacked};
  return is_reached || !is_missed;
}

}  // namespace jrpcheck::watch
