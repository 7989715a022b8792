#include "wire/binding.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::string_view kStdio = "stdio";
constexpr std::string_view kSockets = "tcp";

// A length in four bytes begins with it, unless the message has 16 MiB.
constexpr std::string_view kZeroByte("\0", 1);

constexpr Unframed kNoLineFeed = {"std-one-line", "one line a message"};

std::string_view charge_of_frames(std::string_view violation) {
  if (violation.empty()) return "res-json";
  if (violation == name_of(WebSocketFault::masked)) return "ws-server-unmasked";
  if (violation == name_of(WebSocketFault::not_deflated)) return "ws-deflate";
  const bool is_of_code = violation == name_of(WebSocketFault::close_code_missing) ||
                          violation == name_of(WebSocketFault::close_code_reserved);
  return is_of_code ? "ws-close-code" : "ws-server-frames";
}

constexpr Binding kBindings[] = {
    {.name = "http",
     .requirement_class = "http",
     .pairs_replies = true,
     .delimits_messages = true,
     .head_bytes = 200},
    {.name = "lines",
     .requirement_class = "stdio",
     .carrier_class = kStdio,
     .framing = make_lines,
     .tried_unasked = true,
     .ends_message = "\r\n",
     .noise = "std-clean",
     .several_lines = "std-one-line",
     .unframed = kNoLineFeed,
     .end_on_sockets = "tcp-line-delimiter"},
    {.name = "content-length",
     .requirement_class = "lsp",
     .carrier_class = kStdio,
     .framing = make_content_length,
     .tried_unasked = true,
     .delimits_messages = true,
     .batches_optional = true,
     .begins_stream = "content-",
     .head_bytes = 20,
     .noise = "std-clean",
     .wrong_length = "lsp-length",
     .broken_head = "lsp-header-syntax",
     .unframed = {"lsp-header-syntax", "Content-Length and an empty line, then the message"}},
    {.name = "concatenated",
     .requirement_class = {},
     .carrier_class = kStdio,
     .framing = make_concatenated,
     .structures_only = true,
     .noise = "std-clean",
     .several_lines = "std-one-line",
     .unframed = kNoLineFeed,
     .end_on_sockets = "tcp-line-delimiter"},
    {.name = "length32",
     .requirement_class = {},
     .carrier_class = kStdio,
     .framing = make_length32,
     .delimits_messages = true,
     .begins_stream = kZeroByte,
     .head_bytes = 4,
     .noise = "std-clean",
     .wrong_length = "std-clean",
     .unframed = {"std-clean", "its length in four bytes, then the message"},
     .end_on_sockets = "tcp-length-prefix"},
    {.name = "websocket",
     .requirement_class = "ws",
     .framing = make_websocket,
     .delimits_messages = true,
     .masks = true,
     .utf8_only = true,
     .fragments_messages = true,
     .is_upgrade = true,
     .head_bytes = 14,
     .on_sockets = true,
     .place = "on the connection",
     .noise = "ws-server-frames",
     .unframed = {"ws-server-frames", "a last fragment that says that it is the last"},
     .charge_of = charge_of_frames},
};

// What is asked of standard output has a requirement of its own on sockets.
constexpr Binding moved_to_sockets(Binding binding) {
  binding.carrier_class = kSockets;
  binding.on_sockets = true;
  binding.place = "on the connection";
  binding.tried_unasked = true;
  if (binding.requirement_class == kStdio) binding.requirement_class = {};
  if (!binding.noise.empty()) binding.noise = "tcp-framing";
  if (binding.end_on_sockets.empty()) return binding;
  if (!binding.several_lines.empty()) binding.several_lines = binding.end_on_sockets;
  if (!binding.wrong_length.empty()) binding.wrong_length = binding.end_on_sockets;
  binding.unframed.requirement = binding.end_on_sockets;
  return binding;
}

constexpr std::size_t kFramings =
    std::ranges::count_if(kBindings, [](const Binding& each) { return each.is_framing(); });

constexpr auto kSocketBindings = [] {
  std::array<Binding, kFramings> moved;
  std::size_t count = 0;
  for (const Binding& each : kBindings) {
    if (each.is_framing()) moved[count++] = moved_to_sockets(each);
  }
  return moved;
}();

constexpr std::string_view kTls = "tls";
constexpr std::string_view kUnix = "unix";
constexpr std::string_view kEventStreams = "sse";
constexpr std::string_view kReportedOnEventStreams = "http-event-stream";

constexpr Binding kHttpOnEventStreams = [] {
  Binding binding = kBindings[0];
  binding.on_event_streams = true;
  return binding;
}();

constexpr Binding moved_behind(std::string_view door, Binding binding) {
  binding.door_class = door;
  return binding;
}

// Behind TLS everything is spoken that goes over sockets, and on sockets of this machine the
// framings.
constexpr auto kBehindDoors = [] {
  std::array<Binding, std::size(kBindings) + kFramings + 1> moved;
  std::size_t count = 0;
  for (const Binding& each : kSocketBindings) {
    moved[count++] = moved_behind(kTls, each);
    moved[count++] = moved_behind(kUnix, each);
  }
  moved[count++] = moved_behind(kTls, kHttpOnEventStreams);
  for (const Binding& each : kBindings) {
    if (!each.is_framing()) moved[count++] = moved_behind(kTls, each);
  }
  return moved;
}();

// Classes whose bindings, or whose role, nothing here can judge yet.
constexpr std::string_view kUnservedClasses[] = {"client"};

bool is_class_of(const Binding& binding, std::string_view name) {
  return binding.requirement_class == name || binding.door_class == name ||
         (binding.on_event_streams && name == kEventStreams) ||
         (binding.carrier_class == kSockets && name == kSockets);
}

}  // namespace

bool Binding::comes_in_records() const { return door_class == kTls; }

std::span<const Binding> bindings() { return kBindings; }

const Binding* binding_named(std::string_view name) {
  if (name == kReportedOnEventStreams) return &kHttpOnEventStreams;
  const auto* found =
      std::ranges::find_if(kBindings, [name](const Binding& each) { return each.name == name; });
  return found == std::end(kBindings) ? nullptr : found;
}

const Binding& known_binding(std::string_view name) { return *binding_named(name); }

const Binding& default_stream_binding() {
  return *std::ranges::find_if(kBindings, [](const Binding& each) { return each.is_stream(); });
}

const Binding& first_that(bool Binding::*is_so) { return *std::ranges::find_if(kBindings, is_so); }

const Binding* framing_begun_by(std::string_view bytes) {
  const auto* found = std::ranges::find_if(kBindings, [bytes](const Binding& each) {
    return !each.begins_stream.empty() && begins_ignoring_case(bytes, each.begins_stream);
  });
  return found == std::end(kBindings) ? nullptr : found;
}

std::vector<std::string_view> charges_of(const Binding& binding) {
  std::vector<std::string_view> charges;
  for (const auto id : {binding.noise, binding.several_lines, binding.wrong_length,
                        binding.broken_head, binding.unframed.requirement}) {
    if (!id.empty() && !contains(charges, id)) charges.push_back(id);
  }
  return charges;
}

bool stays_whole(const Binding& binding, std::string_view text) {
  return std::ranges::none_of(binding.ends_message,
                              [&](char end) { return text.find(end) != std::string_view::npos; });
}

const Binding& on_sockets(const Binding& binding) {
  const auto* found = std::ranges::find_if(
      kSocketBindings, [&](const Binding& each) { return each.name == binding.name; });
  return found == std::end(kSocketBindings) ? binding : *found;
}

const Binding& on_event_streams(const Binding& binding) {
  if (!binding.pairs_replies) return binding;
  return binding.door_class == kTls ? behind_door(kHttpOnEventStreams, kTls) : kHttpOnEventStreams;
}

std::string_view reported_name(const Binding& binding) {
  return binding.on_event_streams ? kReportedOnEventStreams : binding.name;
}

const Binding& behind_door(const Binding& binding, std::string_view door_class) {
  const auto* found = std::ranges::find_if(kBehindDoors, [&](const Binding& each) {
    return each.name == binding.name && each.door_class == door_class &&
           each.on_event_streams == binding.on_event_streams;
  });
  return found == std::end(kBehindDoors) ? binding : *found;
}

bool applies_class(const Binding* binding, std::string_view requirement_class) {
  if (binding != nullptr && is_class_of(*binding, requirement_class)) return true;
  const bool is_of_another = requirement_class == kSockets || requirement_class == kTls ||
                             requirement_class == kUnix || requirement_class == kEventStreams ||
                             std::ranges::any_of(kBindings, [&](const Binding& each) {
                               return each.requirement_class == requirement_class;
                             });
  return !is_of_another && !contains(kUnservedClasses, requirement_class);
}

bool applies_cases_of(const Binding& binding, std::string_view requirement_class) {
  return applies_class(&binding, requirement_class) || requirement_class == binding.carrier_class;
}

std::string framing_names(std::string_view separator) {
  std::string names;
  for (const Binding& each : kBindings) {
    if (each.is_framing()) names.append(names.empty() ? "" : separator).append(each.name);
  }
  return names;
}

}  // namespace jrpcheck::wire
