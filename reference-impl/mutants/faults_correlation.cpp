// Defects in answering each call, once, with its own reply.
#include <poll.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

/// A message that is written waits in a buffer until the next one comes on its connection.
Behaviour held_until_more_comes(bool (*is_such)(const std::string& reply)) {
  static std::atomic<int> servers = 0;
  return {.reply = [is_such, server = ++servers](std::string_view message,
                                                 const ProperReply& proper) -> Reply {
    thread_local std::map<int, Reply> of_servers;  // each connection has a thread
    Reply& before = of_servers[server];
    std::vector<std::string> due = std::exchange(before, Reply()).messages();
    const Reply now = proper(message);
    for (const auto& each : now.messages()) {
      if (is_such(each)) {
        before = each;
      } else {
        due.push_back(each);
      }
    }
    return Reply::several(std::move(due));
  }};
}

bool is_success(const std::string& reply) {
  const auto response = object_of(reply);
  return response && response->has("result");
}
bool is_error_of_params(const std::string& reply) {
  const auto response = object_of(reply);
  return response && code_of(*response) == "-32602";
}

/// A call that comes right behind such a message is answered in another way.
Mutation behind(bool (*is_such)(std::string_view message),
                Reply (*rewrite)(const std::string& reply)) {
  return Mutation([=] {
    const auto was_such = std::make_shared<std::atomic<bool>>(false);
    return Behaviour{.reply = [=](std::string_view message, const ProperReply& proper) -> Reply {
      const bool is_behind = was_such->exchange(is_such(message));
      Reply reply = proper(message);
      return is_behind && reply && !is_array(message) ? rewrite(*reply) : reply;
    }};
  });
}

bool is_notification(std::string_view message) {
  const auto object = is_json(message) ? object_of(message) : std::nullopt;
  return object && object->find("method") != nullptr && object->find("id") == nullptr;
}

Reply with_trailing_text(const std::string& reply) { return reply + " ok"; }

Reply served(const std::string& reply) {
  auto response = object_of(reply);
  if (!response || response->find("error") == nullptr) return reply;
  response->remove("error");
  response->set("result", "null");
  return response->text();
}

Reply under_null(const std::string& reply) {
  auto response = object_of(reply);
  if (!response) return reply;
  response->set("id", "null");
  return response->text();
}

Behaviour under_the_last_error_id() {
  struct Last {
    std::mutex mutex;
    std::string id;
  };
  const auto last = std::make_shared<Last>();
  return on_reply([last](std::string reply) -> Reply {
    auto response = object_of(reply);
    const std::string* id = response ? response->find("id") : nullptr;
    if (id == nullptr || *id == "null") return reply;
    const std::lock_guard lock(last->mutex);
    if (response->has("error")) {
      last->id = *id;
    } else if (!last->id.empty()) {
      response->set("id", std::exchange(last->id, ""));
    }
    return response->text();
  });
}

/// The request being served is kept in one place for all connections, so that of calls in flight
/// together each is answered with the id of the last that came: all, or those that have this.
Behaviour one_request_for_all(std::string_view member) {
  struct Current {
    std::mutex mutex;
    std::string id;
  };
  const auto current = std::make_shared<Current>();
  return {.reply = [current, member](std::string_view message, const ProperReply& proper) -> Reply {
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
    if (!response || !response->is("id", *id) || !response->has(member)) return reply;
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
      {"call-behind-batch-twice", breaks("res-once").wherever_it_strikes(), kStreamsAndTcp,
       "The call behind a batch is answered twice.", behind(is_array, doubled)},
      {"call-behind-batch-served", breaks("err-code-method").wherever_it_strikes(),
       kEverywhereAndTcp, "An unknown method that is called behind a batch succeeds.",
       behind(is_array, served)},
      {"call-behind-notification-broken", breaks("res-json").wherever_it_strikes(), kLinesAndTcp,
       "Text stands behind the answer to the call that follows a Notification.",
       behind(is_notification, with_trailing_text)},
      {"reply-lost", breaks("res-always").wherever_it_strikes(), kEverywhere,
       "Each seventh reply is lost.",
       on_every_nth_reply([](const std::string&) { return Reply(); })},
      {"call-behind-broken-text-without-id", breaks("id-echo"), kStreamsAndTcp,
       "The answer to the call behind what is no JSON has id null.",
       behind([](std::string_view message) { return !is_json(message); }, under_null)},
      {"success-under-the-last-error-id",
       breaks("id-echo").perhaps("tcp-isolation", "bat-duplicate-ids").perhaps_any_of("id-"),
       kStreamsAndTcp, "A success has the id of the last error.", under_the_last_error_id},
      {"reply-late-by-one", breaks("res-always"), kStreams,
       "A reply is sent when the next one is due.", late_by_one},
      {"null-result-unanswered", breaks("res-always").perhaps("bat-each"), kEverywhere,
       "A call whose result is null is not answered.", on_element(leaving_out_null)},
      {"fails-unanswered",
       breaks("res-always").perhaps("id-null-request", "id-zero-and-empty", "bat-each"),
       kEverywhere, "A call whose method fails is never answered.",
       answer([](const ElementText& element) { return element.method() == "fails"; }, silence())},
      {"calls-in-flight-crossed", breaks("rob-concurrent"), kHttp,
       "Calls in flight together are answered with the id of the last of them.",
       [] { return one_request_for_all("id"); }},
      {"socket-successes-in-flight-crossed", breaks("tcp-isolation"), kTcp,
       "Calls in flight together that succeed are answered with the id of the last of them.",
       [] { return one_request_for_all("result"); }},
      {"ws-successes-in-flight-crossed", breaks("ws-isolation"), kWs,
       "Calls in flight together that succeed are answered with the id of the last of them.",
       [] { return one_request_for_all("result"); }},
      {"successes-held-until-more-comes", breaks("res-always").perhaps("tcp-isolation"),
       kStreamsAndTcp,
       "A Response of success leaves when the next message comes on its connection.",
       [] { return held_until_more_comes(is_success); }},
      {"params-errors-held-until-more-comes", breaks("res-always"), kStreamsAndTcp,
       "An error -32602 leaves when the next message comes on its connection.",
       [] { return held_until_more_comes(is_error_of_params); }},
      {"batches-held-until-more-comes", breaks("res-always"), kLinesAndTcp,
       "The answer to a batch leaves when the next message comes on its connection.",
       [] {
         return held_until_more_comes([](const std::string& reply) { return is_array(reply); });
       }},
  };
  return all;
}

}  // namespace jrpcheck::reference
