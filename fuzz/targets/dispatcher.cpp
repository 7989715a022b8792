// The reference server's dispatcher, as any other handler.
#include "fuzz/jrpcheck_fuzz.h"
#include "reference-impl/methods.hpp"

#include <nlohmann/json.hpp>
#include <optional>

namespace {

using jrpcheck::reference::Dispatcher;

std::optional<Dispatcher> dispatcher;

}  // namespace

extern "C" int jrpcheck_fuzz_init() { return 0; }

extern "C" void jrpcheck_fuzz_handle(const std::uint8_t* bytes, std::size_t size,
                                     jrpcheck_fuzz_sink sink, void* context) {
  const auto reply = dispatcher->handle({reinterpret_cast<const char*>(bytes), size});
  if (reply) sink(context, reinterpret_cast<const std::uint8_t*>(reply->data()), reply->size());
}

extern "C" void jrpcheck_fuzz_reset() {
  dispatcher = jrpcheck::reference::make_reference_dispatcher();
  // Answered at once: an engine would take the wait for a hang.
  dispatcher->add("slow", {"milliseconds"},
                  [](const nlohmann::json& arguments) { return arguments[0]; });
}

extern "C" const char* const* jrpcheck_fuzz_methods() {
  static const char* const methods[] = {"subtract",   "sum",       "get_data",  "update",
                                        "notify_sum", "echo",      "nothing",   "fails",
                                        "slow",       "state-set", "state-get", nullptr};
  return methods;
}
