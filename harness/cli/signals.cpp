#include "cli/signals.hpp"

#include <unistd.h>

#include <csignal>

#include "base/interruption.hpp"

namespace jrpcheck::cli {
namespace {

constexpr int kBase = static_cast<int>(ExitCode::interrupted);

// Only what is safe in a handler. The guardian ends the servers where this process does not.
extern "C" void note_interruption(int signal) {
  int none = 0;
  if (!interrupting_signal.compare_exchange_strong(none, signal)) ::_exit(kBase + signal);
}

}  // namespace

void heed_interruptions() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    // Without SA_RESTART: a report that waits for a reader of its pipe gives up.
    struct sigaction action {};
    action.sa_handler = &note_interruption;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
  }
}

void take_file_limits_for_errors() { std::signal(SIGXFSZ, SIG_IGN); }

ExitCode interrupted_code() { return static_cast<ExitCode>(kBase + interrupting_signal); }

}  // namespace jrpcheck::cli
