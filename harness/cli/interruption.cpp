#include "cli/interruption.hpp"

#include <csignal>

namespace jrpcheck::cli {
namespace {

volatile std::sig_atomic_t signals_seen = 0;

void note_signal(int) { signals_seen = 1; }

}  // namespace

Interruption::Interruption() {
  signals_seen = 0;
  struct sigaction action {};
  action.sa_handler = &note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interruption::wanted() { return signals_seen != 0; }

}  // namespace jrpcheck::cli
