// Malformed messages that a server sends on its own account.
#include <string>
#include <utility>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr int kEveryFifth = 5;

/// Sends `message` before each fifth reply.
Mutation sending(std::string message) {
  return Mutation([message = std::move(message)] {
    const auto count = std::make_shared<int>(0);
    return on_reply([count, message](const std::string& reply) -> Reply {
      if (++*count % kEveryFifth != 0) return reply;
      return Reply::several({message, reply});
    });
  });
}

}  // namespace

std::span<const Mutant> unasked_faults() {
  static const Mutant all[] = {
      {"unasked-notification-without-version",
       breaks("req-version").perhaps("std-clean", "req-version-missing"), kStreams,
       "A Notification of the server's own has no jsonrpc.",
       sending(R"({"method":"progress","params":{"percent":50}})")},
      {"unasked-notification-of-no-method", breaks("req-method-string").perhaps("std-clean"),
       kStreams, "The method of a Notification of the server's own is a Number.",
       sending(R"({"jsonrpc":"2.0","method":7})")},
      {"unasked-notification-with-text-as-params",
       breaks("req-params-structured").perhaps("std-clean"), kStreams,
       "The params of a Notification of the server's own are a String.",
       sending(R"({"jsonrpc":"2.0","method":"progress","params":"half"})")},
      {"unasked-request-with-true-as-id", breaks("req-id-type").perhaps("std-clean"), kStreams,
       "The id of a Request of the server's own is true.",
       sending(R"({"jsonrpc":"2.0","method":"ask","id":true})")},
      {"unasked-response", breaks("res-once").wherever_it_strikes(), kStreams,
       "A Response comes to a call that nobody made.",
       sending(R"({"jsonrpc":"2.0","result":null,"id":"nobody's"})")},
      {"unasked-response-with-both-members", breaks("res-exclusive").wherever_it_strikes(),
       kStreams, "A Response to a call that nobody made has result and error.",
       sending(R"({"jsonrpc":"2.0","result":1,"error":{"code":1,"message":"x"},"id":"nobody's"})")},
  };
  return all;
}

}  // namespace jrpcheck::reference
