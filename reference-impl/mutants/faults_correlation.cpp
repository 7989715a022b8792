// Defects in answering each call, once, with its own reply.
#include <poll.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr int kEveryNth = 7;
constexpr int kWhileOthersArriveMs = 20;

/// Passes the replies on, but each `kEveryNth` of them in another way.
Mutation on_every_nth_reply(Reply (*rewrite)(const std::string& reply)) {
  return Mutation([rewrite] {
    const auto count = std::make_shared<std::atomic<int>>(0);
    return on_reply([count, rewrite](std::string reply) -> Reply {
      return ++*count % kEveryNth == 0 ? rewrite(reply) : Reply(std::move(reply));
    });
  });
}

Reply doubled(const std::string& reply) { return Reply::several({reply, reply}); }

/// A reply waits until the next one is due.
Behaviour late_by_one() {
  struct Held {
    std::mutex mutex;
    Reply reply;
  };
  const auto held = std::make_shared<Held>();
  return on_reply([held](std::string reply) {
    const std::lock_guard lock(held->mutex);
    return std::exchange(held->reply, std::move(reply));
  });
}

/// The request being served is kept in one place for all connections, so that of calls in flight
/// together each is answered with the id of the last that came.
Behaviour one_request_for_all() {
  struct Current {
    std::mutex mutex;
    std::string id;
  };
  const auto current = std::make_shared<Current>();
  return {.reply = [current](std::string_view message, const ProperReply& proper) -> Reply {
    const auto object = is_json(message) ? object_of(message) : std::nullopt;
    const std::string* id = object ? object->find("id") : nullptr;
    if (id == nullptr) return proper(message);
    {
      const std::lock_guard lock(current->mutex);
      current->id = *id;
    }
    Reply reply = proper(message);
    ::poll(nullptr, 0, kWhileOthersArriveMs);
    auto response = reply ? object_of(*reply) : std::nullopt;
    if (!response || !response->is("id", *id)) return reply;
    const std::lock_guard lock(current->mutex);
    response->set("id", current->id);
    return response->text();
  }};
}

/// What has nothing to say is taken to owe nothing.
Reply leaving_out_null(const ElementText& element, const ProperReply& proper) {
  Reply reply = proper(element.text);
  const auto response = reply ? object_of(*reply) : std::nullopt;
  if (response && response->is("result", "null")) return std::nullopt;
  return reply;
}

}  // namespace

std::span<const Mutant> correlation_faults() {
  static const Mutant all[] = {
      {"reply-twice",
       breaks("res-once")
           .perhaps("json-trailing", "lsp-length", "rob-pipelined")
           .wherever_it_strikes(),
       kStreams, "Each seventh reply is sent twice.", on_every_nth_reply(doubled)},
      {"reply-always-twice",
       breaks("res-once")
           .perhaps("id-string-exact", "json-trailing", "lsp-length", "ntf-silent-unknown-method",
                    "rob-pipelined", "tcp-line-tolerance", "tcp-framing", "tcp-coalesced"),
       kStreamsAndTcp, "Each reply is sent twice.", on_reply(doubled)},
      {"reply-lost", breaks("res-always").wherever_it_strikes(), kEverywhere,
       "Each seventh reply is lost.",
       on_every_nth_reply([](const std::string&) { return Reply(); })},
      {"reply-late-by-one", breaks("res-always"), kStreams,
       "A reply is sent when the next one is due.", late_by_one},
      {"null-result-unanswered", breaks("res-always").perhaps("bat-each"), kEverywhere,
       "A call whose result is null is not answered.", on_element(leaving_out_null)},
      {"fails-unanswered", breaks("res-always").perhaps("id-null-request", "id-zero-and-empty"),
       kEverywhere, "A call whose method fails is never answered.",
       answer([](const ElementText& element) { return element.method() == "fails"; }, silence())},
      {"calls-in-flight-crossed", breaks("rob-concurrent"), kHttp,
       "Calls in flight together are answered with the id of the last of them.",
       one_request_for_all},
  };
  return all;
}

}  // namespace jrpcheck::reference
