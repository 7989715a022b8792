#include "client/bent_connection.hpp"

#include <poll.h>

#include <array>
#include <utility>

#include "client/drain.hpp"

namespace jrpcheck::client {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;
using transport::ByteStream;

constexpr milliseconds kLookAtBoth{20};
// A client that makes its calls together has made them by then.
constexpr milliseconds kForTheOthers{400};
constexpr std::chrono::seconds kForReaching{10};

}  // namespace

BentConnection::BentConnection(const Door& door, const Upstream& upstream, Bend& bend,
                               TrialState& state, ByteStream& client, std::uint32_t number)
    : door_(door),
      upstream_(upstream),
      bend_(bend),
      state_(state),
      client_(client),
      number_(number),
      passage_(make_passage(door, upstream.destination, &own_calls_)),
      needs_framing_(door.takes_framings()) {
  traffic::TapSink sink;
  sink.traffic = [this](TrafficEvent event) {
    const bool is_heard = event.side == Side::client && event.kind == TrafficEvent::Kind::message;
    if (is_heard) bend_.hear(event.message);
    state_.note(std::move(event));
  };
  sink.secret = upstream.tell_secret;
  sink.framing = [this](const wire::Binding& binding, std::size_t) {
    passage_->use(binding);
    needs_framing_ = false;
  };
  tap_ = door_.takes_framings()
             ? traffic::make_stream_tap(upstream.framing, !door.is_stdio(), number, std::move(sink))
             : traffic::make_http_tap(number, std::move(sink));
}

void BentConnection::run() {
  auto connected = upstream_.peer->connect(Deadline::in(kForReaching));
  if (connected) {
    server_ = *std::move(connected);
    carry();
  } else {
    bend_.fail(connected.error().message);
    client_.reset();  // as a port where nobody listens
    is_reset_ = true;
  }
  if (is_reset_) return;
  hear(std::exchange(early_of_client_, {}));
  if (client_has_ended_) return;
  const auto ending = drain(client_, state_.is_stopped ? kForTheRest : kForTheirEnd,
                            [this](std::string_view in) { hear(in); });
  // What stands last of a client that was left may be cut off.
  if (ending && !is_cut_) tap_->close(Side::client, state_.now(), *ending);
}

void BentConnection::carry() {
  while (!state_.is_stopped && !is_over_ && !(client_has_ended_ && server_has_ended_)) {
    await();
    if (!client_has_ended_) take_client();
    if (!is_over_ && !server_has_ended_) take_server();
    const bool is_quiet = Clock::now() - quiet_since_ > kForTheOthers;
    if (is_quiet && !is_over_) release_held();
  }
}

void BentConnection::await() {
  const auto of_client = client_.polled();
  const auto of_server = server_.stream->polled();
  std::array<pollfd, 2> polled{{{client_has_ended_ ? -1 : of_client.reading, POLLIN, 0},
                                {server_has_ended_ ? -1 : of_server.reading, POLLIN, 0}}};
  const bool has_client = !early_of_client_.empty() || of_client.has_input;
  const bool has_server = !early_of_server_.empty() || of_server.has_input;
  const bool is_ready = (has_client && !client_has_ended_) || (has_server && !server_has_ended_);
  ::poll(polled.data(), polled.size(), is_ready ? 0 : static_cast<int>(kLookAtBoth.count()));
}

void BentConnection::take_client() {
  std::string in = std::exchange(early_of_client_, {});
  const auto done = client_.transfer({}, in, Deadline::firmly_in(microseconds(0)));
  if (!in.empty()) {
    hear(in);
    const std::string onward = passage_->onward(in);
    // What it takes no more, it shows by its end.
    state_.write(*server_.stream, onward, early_of_server_);
    if (const auto owed = passage_->owed(); !owed.empty() && !write_client(owed)) is_over_ = true;
  }
  if (!done.ended && !done.reset) return;
  client_has_ended_ = true;
  state_.write(*server_.stream, passage_->onward_at_end(), early_of_server_);
  tap_->close(Side::client, state_.now(), end_told_by(done));
  server_.stream->close_write();
  is_over_ = is_over_ || done.reset;
}

void BentConnection::take_server() {
  std::string in = std::exchange(early_of_server_, {});
  const auto done = server_.stream->transfer({}, in, Deadline::firmly_in(microseconds(0)));
  // By what the client has said the framing can be told.
  if (!in.empty() && needs_framing_) tap_->feed(Side::server, {}, state_.now());
  auto said = in.empty() ? std::vector<Said>() : passage_->back(in);
  const bool has_ended = done.ended || done.reset;
  if (has_ended) {
    for (auto& each : passage_->back_at_end()) said.push_back(std::move(each));
  }
  for (const auto& each : said) {
    if (is_over_) return;
    tell(each);
  }
  if (!has_ended || is_over_) return;
  release_held();
  server_has_ended_ = true;
  client_.close_write();
}

void BentConnection::tell(const Said& said) {
  const bool has_begun = said.event.has_value();
  const auto answer = said.message ? bend_.take(*said.message, has_begun, number_) : std::nullopt;
  if (said.message) quiet_since_ = Clock::now();
  if (answer) return give(*answer, said);
  if (!write_client(said.bytes)) is_over_ = true;
}

void BentConnection::release_held() {
  if (const auto held = bend_.give_up_waiting(number_)) give(*held, {});
}

void BentConnection::give(const Answer& answer, const Said& said) {
  for (const auto& each : answer.messages) own_calls_.tell(each);
  for (const auto& each : passage_->encode(answer, said)) {
    if (!write_client(each)) is_over_ = true;
    if (answer.has_pauses) state_.take_a_moment(client_, early_of_client_);
  }
  if (answer.then.empty()) return;
  is_reset_ = answer.then == "reset";
  if (is_reset_) client_.reset();
  bend_.cut();
  is_over_ = is_cut_ = true;
}

void BentConnection::hear(std::string_view in) {
  if (in.empty()) return;
  state_.is_met = true;
  state_.last_activity = Clock::now();
  tap_->feed(Side::client, in, state_.now());
}

bool BentConnection::write_client(std::string_view bytes) {
  if (bytes.empty()) return true;
  tap_->feed(Side::server, bytes, state_.now());
  return state_.write(client_, bytes, early_of_client_);
}

}  // namespace jrpcheck::client
