#include "reference-impl/mutants/protocols.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jrpcheck::reference {
namespace protocols_test {

/// Messages that are not answered, or have params and errors of another shape than is usual.
const std::string kOddMessages[] = {
    R"({"jsonrpc":"2.0","method":"initialize","params":{"workDoneToken":1,"capabilities":)"
    R"({"workspace":{"configuration":true},"window":{"workDoneProgress":true}}}})",
    R"({"jsonrpc":"2.0","method":"shutdown"})",
    R"({"jsonrpc":"2.0","method":"textDocument/definition"})",
    R"({"jsonrpc":"2.0","method":"workspace/symbol","params":{"partialResultToken":1}})",
    R"({"jsonrpc":"2.0","method":"tools/call","params":{"_meta":{"progressToken":1}}})",
    R"({"jsonrpc":"2.0","method":"eth_subscribe","params":["newHeads"]})",
    R"({"jsonrpc":"2.0","method":"eth_sendRawTransaction"})",
    R"([{"jsonrpc":"2.0"},{"jsonrpc":"2.0","method":"uptime"}])",
    R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]})",
    R"({"jsonrpc":"2.0","id":"files for 1","error":1})",
};

/// They end the program a moment later, which would be this one.
bool ends_by_itself(const Mutant& mutant) {
  return mutant.name == "lsp-ends-after-shutdown" || mutant.name == "lsp-second-initialize-ends";
}

/// What a server with this mutant makes of the messages; a catastrophe may be what it is for.
void tell(const Mutant& mutant, const Handler& handler) {
  const Behaviour behaviour = mutant.behaviour();
  if (!behaviour.reply) return;
  const ProperReply proper = [&](std::string_view text) { return Reply(handler.handle(text)); };
  for (const auto& message : kOddMessages) {
    try {
      behaviour.reply(message, proper);
    } catch (const Catastrophe&) {
      return;
    }
  }
}

TEST(Protocols, MutantsOutliveWhatIsNotAnsweredAsUsual) {
  for (const auto& protocol : protocols_on_top()) {
    const auto versions =
        protocol.versions.empty() ? std::vector<std::string>{""} : protocol.versions;
    for (const auto& version : versions) {
      for (const auto& mutants : {protocol.faults(version), protocol.variants(version)}) {
        for (const Mutant& mutant : mutants) {
          if (ends_by_itself(mutant)) continue;
          const auto handler = protocol.make(version, {}, {[](int) {}, true});
          EXPECT_NO_THROW(tell(mutant, *handler)) << mutant.name;
        }
      }
    }
  }
}

}  // namespace protocols_test
}  // namespace jrpcheck::reference
