// The reference server with one deep fault as a fuzz target in process: what a fuzzer of bytes is
// measured on. JRPCHECK_FAULT names the fault.
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "fuzz/jrpcheck_fuzz.h"
#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/methods.hpp"

using namespace jrpcheck::reference;

namespace {

struct Server {
  Reply reply(std::string_view message) const {
    const ProperReply proper = [this](std::string_view text) { return dispatcher.handle(text); };
    try {
      return behaviour.reply ? behaviour.reply(message, proper) : proper(message);
    } catch (const Catastrophe&) {
      std::abort();
    }
  }

  Behaviour behaviour;
  Dispatcher dispatcher = make_reference_dispatcher();
};

std::unique_ptr<Server> server;

const Deviation* deep_fault_named(std::string_view name) {
  for (const auto& faults :
       {deep_faults_in_calls(), deep_faults_in_batches(), deep_faults_in_conversations()}) {
    for (const Deviation& each : faults) {
      if (each.name == name) return &each;
    }
  }
  return nullptr;
}

}  // namespace

extern "C" int jrpcheck_fuzz_init(void) {
  const char* name = std::getenv("JRPCHECK_FAULT");
  const Deviation* fault = name == nullptr ? nullptr : deep_fault_named(name);
  if (name != nullptr && fault == nullptr) return 1;
  server = std::make_unique<Server>();
  if (fault != nullptr) server->behaviour = fault->behaviour();
  return 0;
}

// Nothing is put back: some faults need what an earlier message left behind.
extern "C" void jrpcheck_fuzz_reset(void) {}

extern "C" const char* const* jrpcheck_fuzz_methods(void) {
  static const char* const methods[] = {"subtract", "sum",   "get_data", "echo",
                                        "nothing",  "fails", nullptr};
  return methods;
}

extern "C" void jrpcheck_fuzz_handle(const uint8_t* bytes, size_t size, jrpcheck_fuzz_sink sink,
                                     void* context) {
  const auto reply = server->reply({reinterpret_cast<const char*>(bytes), size});
  if (!reply) return;
  std::string_view rest = *reply;
  for (;;) {
    const auto end = rest.find(kNextMessage);
    const std::string_view message = rest.substr(0, end);
    sink(context, reinterpret_cast<const uint8_t*>(message.data()), message.size());
    if (end == std::string_view::npos) return;
    rest.remove_prefix(end + 1);
  }
}
