#include "client/scripted_server.hpp"

#include <utility>

namespace jrpcheck::client {
namespace {

using dialogue::Side;

constexpr milliseconds kLook{20};
// A client that makes its calls together has made them by then.
constexpr int kLooksForTheOthers = 20;
constexpr std::chrono::seconds kForWriting{5};
constexpr std::chrono::seconds kForHandshake{
    10};  // who has just been started may still load a library

}  // namespace

Result<std::unique_ptr<ScriptedServer>> ScriptedServer::start(const Door& door, Script& script,
                                                              Premises& premises) {
  const std::string socket = door.is_stdio() ? premises.next_socket() : "";
  auto listener = door.is_stdio() ? transport::Listener::on_unix(socket)
                                  : transport::Listener::on_tcp({"127.0.0.1", "0"});
  if (!listener) return listener.error();
  std::unique_ptr<ScriptedServer> server(
      new ScriptedServer(door, script, premises, socket, *std::move(listener)));
  server->accepting_ = std::thread([self = server.get()] { self->accept_all(); });
  return server;
}

ScriptedServer::~ScriptedServer() { stop(); }

std::string ScriptedServer::url() const {
  if (door_.is_stdio()) return {};
  const std::string path = door_.kind == "tcp" ? "" : "/";
  return std::string(door_.scheme) + "://127.0.0.1:" + std::to_string(listener_.port()) + path;
}

std::vector<dialogue::TrafficEvent> ScriptedServer::stop() {
  is_stopped_ = true;
  if (accepting_.joinable()) accepting_.join();
  for (auto& each : serving_) each.join();
  serving_.clear();
  const std::lock_guard lock(mutex_);
  return std::exchange(traffic_, {});
}

microseconds ScriptedServer::now() const {
  return std::chrono::duration_cast<microseconds>(Clock::now() - begin_);
}

void ScriptedServer::accept_all() {
  std::uint32_t number = 0;
  while (!is_stopped_) {
    auto stream = listener_.accept(Deadline::in(kLook));
    if (!stream) continue;
    serving_.emplace_back([this, number = ++number, stream = std::move(stream)]() mutable {
      serve(std::move(stream), number);
    });
  }
}

bool ScriptedServer::write(transport::ByteStream& stream, traffic::Tap& tap,
                           std::string_view bytes) {
  tap.feed(Side::server, bytes, now());
  std::string unread;
  const Deadline deadline = Deadline::in(kForWriting);
  while (!bytes.empty()) {
    const auto done = stream.transfer(bytes, unread, deadline);
    bytes.remove_prefix(done.written);
    if (done.broken || done.ended || done.timed_out || is_stopped_) return false;
  }
  last_activity_ = Clock::now();
  return true;
}

bool ScriptedServer::send(transport::ByteStream& stream, DoorConnection& connection,
                          traffic::Tap& tap, const Answer& answer) {
  for (const auto& each : connection.encode(answer)) {
    if (!write(stream, tap, each)) return false;
  }
  if (answer.then == "reset") stream.reset();
  return answer.then.empty();
}

void ScriptedServer::serve(std::unique_ptr<transport::ByteStream> stream, std::uint32_t number) {
  if (const auto* acceptor = premises_.acceptor()) {
    auto secure = acceptor->accept(std::move(stream), Deadline::in(kForHandshake));
    if (!secure) return;  // who does not come in is told so by the control
    stream = *std::move(secure);
    talk(*stream, number);
    // A peer that leaves without a word could be anybody who cuts the line (RFC 8446 §6.1).
    stream->close_write();
  } else {
    talk(*stream, number);
  }
}

void ScriptedServer::talk(transport::ByteStream& stream, std::uint32_t number) {
  const auto connection = door_.open();
  traffic::TapSink sink;
  sink.traffic = [this](dialogue::TrafficEvent event) {
    const std::lock_guard lock(mutex_);
    traffic_.push_back(std::move(event));
  };
  const auto tap = door_.kind == "tcp" ? traffic::make_stream_tap(nullptr, true, number, sink)
                                       : traffic::make_http_tap(number, sink);
  int quiet = 0;
  while (!is_stopped_) {
    std::string in;
    const auto done = stream.transfer({}, in, Deadline::in(kLook));
    if (!in.empty()) {
      last_activity_ = Clock::now();
      is_met_ = true;
      quiet = 0;
      tap->feed(Side::client, in, now());
      const auto messages = connection->feed(in);
      if (const auto owed = connection->owed(); !owed.empty() && !write(stream, *tap, owed)) return;
      for (const auto& each : messages) {
        auto answer = script_.take(each, number);
        if (!answer && door_.pairs_replies) answer = Answer{{}, false, 202, ""};
        if (answer && !send(stream, *connection, *tap, *answer)) return;
      }
    }
    if (done.ended || connection->is_over()) break;
    if (++quiet == kLooksForTheOthers) {
      const auto held = script_.give_up_waiting(number);
      if (held && !send(stream, *connection, *tap, *held)) return;
    }
  }
  tap->close(Side::client, now(), "");
}

}  // namespace jrpcheck::client
