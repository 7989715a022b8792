#include "client/scripted_server.hpp"

#include <algorithm>
#include <utility>

namespace jrpcheck::client {
namespace {

constexpr milliseconds kLook{20};
// Of those who still come once it is stopped: who was ended comes no more.
constexpr std::size_t kMostLate = 1000;
constexpr std::chrono::seconds kForHandshake{
    10};  // who has just been started may still load a library

}  // namespace

Result<std::unique_ptr<ScriptedServer>> ScriptedServer::start(const Door& door, Attend attend,
                                                              Premises& premises) {
  const std::string socket = door.is_stdio() ? premises.next_socket() : "";
  auto listener = door.is_stdio() ? transport::Listener::on_unix(socket)
                                  : transport::Listener::on_tcp({"127.0.0.1", "0"});
  if (!listener) return listener.error();
  std::unique_ptr<ScriptedServer> server(
      new ScriptedServer(door, std::move(attend), premises, socket, *std::move(listener)));
  server->accepting_ = std::thread([self = server.get()] {
    self->keep_failure([self] { self->accept_all(); });
    self->end_finished(0);
  });
  return server;
}

Result<std::unique_ptr<ScriptedServer>> ScriptedServer::start(const Door& door,
                                                              Respondent& respondent,
                                                              Premises& premises,
                                                              microseconds for_close) {
  return start(
      door,
      [&door, &respondent, for_close](transport::ByteStream& stream, std::uint32_t number,
                                      TrialState& state) {
        ServedConnection(door, respondent, state, stream, number, for_close).run();
      },
      premises);
}

ScriptedServer::~ScriptedServer() { join(); }

std::string ScriptedServer::url(const std::string& path) const {
  if (door_.is_stdio()) return {};
  return std::string(door_.scheme) + "://127.0.0.1:" + std::to_string(listener_.port()) +
         (door_.takes_framings() ? "" : path);
}

void ScriptedServer::join() {
  state_.is_stopped = true;
  if (accepting_.joinable()) accepting_.join();
}

std::vector<dialogue::TrafficEvent> ScriptedServer::stop() {
  join();
  if (failure_) std::rethrow_exception(failure_);
  const std::lock_guard lock(state_.mutex);
  return std::exchange(state_.traffic, {});
}

void ScriptedServer::keep_failure(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    const std::lock_guard lock(finished_mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void ScriptedServer::accept_all() {
  std::uint32_t number = 0;
  while (!state_.is_stopped) {
    if (auto stream = listener_.accept(Deadline::in(kLook))) begin(std::move(stream), ++number);
    end_finished(kMostAtOnce - 1);
  }
  // Who came in the last moment stands in the queue.
  for (std::size_t late = 0; late < kMostLate; ++late) {
    auto stream = listener_.accept(Deadline::firmly_in(microseconds(0)));
    if (!stream) break;
    begin(std::move(stream), ++number);
    end_finished(kMostAtOnce - 1);
  }
}

void ScriptedServer::begin(std::unique_ptr<transport::ByteStream> stream, std::uint32_t number) {
  std::list<Serving> one(1);
  auto& serving = one.front();
  serving.thread = std::thread([this, &serving, number, stream = std::move(stream)]() mutable {
    keep_failure([&] { serve(std::move(stream), number); });
    {
      const std::lock_guard lock(finished_mutex_);
      serving.is_done = true;
    }
    finished_.notify_one();
  });
  serving_.splice(serving_.end(), one);
}

void ScriptedServer::end_finished(std::size_t most_left) {
  for (;;) {
    std::unique_lock lock(finished_mutex_);
    const auto done = [](const Serving& each) { return each.is_done; };
    const auto any_done = [&] { return std::ranges::any_of(serving_, done); };
    if (serving_.size() > most_left) finished_.wait(lock, any_done);
    const auto found = std::ranges::find_if(serving_, done);
    if (found == serving_.end()) return;
    lock.unlock();
    found->thread.join();
    serving_.erase(found);
  }
}

void ScriptedServer::serve(std::unique_ptr<transport::ByteStream> stream, std::uint32_t number) {
  const auto talk = [&] { attend_(*stream, number, state_); };
  const auto* acceptor = premises_.acceptor();
  if (acceptor == nullptr) return talk();
  const bool is_late = state_.is_stopped;
  auto secure = acceptor->accept(
      std::move(stream), is_late ? Deadline::firmly_in(kLook) : Deadline::in(kForHandshake));
  if (!secure) return;  // who does not come in is told so by the control
  stream = *std::move(secure);
  talk();
  // A peer that leaves without a word could be anybody who cuts the line (RFC 8446 §6.1).
  stream->close_write();
}

}  // namespace jrpcheck::client
