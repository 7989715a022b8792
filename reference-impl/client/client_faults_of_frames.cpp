// Faults of its frames, over WebSocket.
#include <algorithm>
#include <array>

#include "reference-impl/client/client_edits.hpp"
#include "reference-impl/client/client_mutants.hpp"

namespace jrpcheck::reference {

namespace {

using wire::WebSocketFault;

ChangeHooks change_frames(std::function<void(ClientFrameHooks& frames)> change) {
  return [change = std::move(change)](ClientHooks& hooks) { change(hooks.frames); };
}

ChangeHooks read_on_after(std::vector<WebSocketFault> faults) {
  return change_frames([faults = std::move(faults)](ClientFrameHooks& frames) {
    frames.fails_for = [faults](WebSocketFault fault) {
      return std::find(faults.begin(), faults.end(), fault) == faults.end();
    };
  });
}

const std::array kFaultsOfFrames = {
    ClientMutant{"leaves-pings",
                 {"cl-ws-ping"},
                 {},
                 kOverWs,
                 "A ping has no pong.",
                 change_frames([](ClientFrameHooks& frames) {
                   frames.pong = [](const std::string&) { return std::optional<std::string>(); };
                 })},
    ClientMutant{"pongs-without-payload",
                 {"cl-ws-ping"},
                 {},
                 kOverWs,
                 "Its pongs are empty.",
                 change_frames([](ClientFrameHooks& frames) {
                   frames.pong = [](const std::string&) { return std::optional(std::string()); };
                 })},
    ClientMutant{"pongs-cut-short",
                 {"cl-ws-ping"},
                 {},
                 kOverWs,
                 "Its pongs have no more than 100 bytes.",
                 change_frames([](ClientFrameHooks& frames) {
                   frames.pong = [](const std::string& ping) {
                     return std::optional(ping.substr(0, 100));
                   };
                 })},
    ClientMutant{
        "reads-pings-as-messages",
        {"cl-ws-control"},
        {"cl-ws-ping"},
        kOverWs,
        "What a ping holds is a message to it.",
        change_frames([](ClientFrameHooks& frames) { frames.reads_pings_as_messages = true; })},
    ClientMutant{
        "loses-messages-around-pings",
        {"cl-ws-control"},
        {},
        kOverWs,
        "A message in whose fragments a ping stands is lost.",
        change_frames([](ClientFrameHooks& frames) { frames.loses_messages_around_pings = true; })},
    ClientMutant{"ends-at-pongs",
                 {"cl-ws-control"},
                 {},
                 kOverWs,
                 "A pong that it has not asked for ends the connection.",
                 change_frames([](ClientFrameHooks& frames) { frames.ends_at_pongs = true; })},
    ClientMutant{
        "reads-fragments-alone",
        {"cl-ws-fragments"},
        {"cl-ws-control", "cl-ws-fail"},
        kOverWs,
        "Each fragment is a message to it.",
        change_frames([](ClientFrameHooks& frames) { frames.reads_fragments_alone = true; })},
    ClientMutant{"leaves-closes",
                 {"cl-ws-close"},
                 {},
                 kOverWs,
                 "A Close has no answer.",
                 change_frames([](ClientFrameHooks& frames) { frames.answers_closes = false; })},
    ClientMutant{"reads-after-close",
                 {"cl-ws-close"},
                 {"cl-ws-fail", "cl-ws-unmasked", "cl-req-json"},
                 kOverWs,
                 "What comes after a Close is taken.",
                 change_frames([](ClientFrameHooks& frames) { frames.reads_after_close = true; })},
    ClientMutant{"takes-masked-frames",
                 {"cl-ws-unmasked"},
                 {},
                 kOverWs,
                 "A frame of the server may be masked.",
                 read_on_after({WebSocketFault::masked})},
    ClientMutant{"takes-reserved-frames",
                 {"cl-ws-fail"},
                 {},
                 kOverWs,
                 "Reserved opcodes are passed over.",
                 read_on_after({WebSocketFault::reserved_opcode})},
    ClientMutant{"takes-reserved-bits",
                 {"cl-ws-fail"},
                 {},
                 kOverWs,
                 "Reserved bits say nothing to it.",
                 read_on_after({WebSocketFault::reserved_bits})},
    ClientMutant{
        "takes-odd-fragments",
        {"cl-ws-fail"},
        {},
        kOverWs,
        "Fragments may continue nothing, and be broken off by another message.",
        read_on_after({WebSocketFault::nothing_to_continue, WebSocketFault::message_interrupted})},
    ClientMutant{
        "takes-odd-controls",
        {"cl-ws-fail"},
        {"cl-req-json"},
        kOverWs,
        "Control frames may be long, and in fragments.",
        read_on_after({WebSocketFault::control_too_long, WebSocketFault::control_in_fragments})},
};

}  // namespace

std::span<const ClientMutant> client_faults_of_frames() { return kFaultsOfFrames; }

}  // namespace jrpcheck::reference
