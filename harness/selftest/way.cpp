#include "selftest/way.hpp"

#include <algorithm>
#include <iterator>

namespace jrpcheck::selftest {
namespace {

constexpr Way kWays[] = {
    {.name = "http", .scheme_name = "http", .option = "--http"},
    {.name = "websocket", .scheme_name = "ws", .option = "--ws"},
    {.name = "tcp", .scheme_name = "tcp", .option = "--tcp"},
    {.name = "tcp-length32", .scheme_name = "tcp", .option = "--tcp", .framing = "length32"},
    {.name = "tls",
     .scheme_name = "tls",
     .option = "--tcp",
     .own_class = "tls",
     .takes_turns = true},
    {.name = "unix",
     .scheme_name = "unix",
     .option = "--unix",
     .own_class = "unix",
     .takes_turns = true},
    {.name = "sse",
     .scheme_name = "http",
     .option = "--sse",
     .by_events = true,
     .own_class = "sse",
     .takes_turns = true},
    {.name = "sse-endpoint",
     .scheme_name = "http",
     .option = "--sse",
     .path = "/sse",
     .by_events = true,
     .own_class = "sse"},
};

}  // namespace

const transport::Scheme& Way::scheme() const { return *transport::scheme_named(scheme_name); }

const wire::Binding& Way::binding() const {
  const auto& spoken = !framing.empty()           ? wire::known_binding(framing)
                       : scheme().binding.empty() ? wire::default_stream_binding()
                                                  : wire::known_binding(scheme().binding);
  return by_events ? wire::on_event_streams(spoken)
                   : wire::behind_door(wire::on_sockets(spoken), scheme().door_class);
}

std::span<const Way> ways() { return kWays; }

const Way* way_named(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kWays, [name](const Way& each) { return each.name == name; });
  return found == std::end(kWays) ? nullptr : found;
}

const wire::Binding& binding_of(std::string_view transport) {
  const Way* way = way_named(transport);
  return way != nullptr ? way->binding() : wire::known_binding(transport);
}

}  // namespace jrpcheck::selftest
