// Defects of an MCP server in its subscriptions, and what it may make of them.
#include <atomic>
#include <memory>
#include <mutex>

#include "reference-impl/mutants/mcp_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

constexpr const char* kListening = "subscriptions/listen";

std::string change_for(const json& subscription) {
  const json params = {{"_meta", {{"io.modelcontextprotocol/subscriptionId", subscription}}}};
  return own_notification("notifications/tools/list_changed", params.dump());
}

/// Edits the acknowledgment of a subscription.
Behaviour acknowledging(EditResponse edit) { return edit_response(kListening, std::move(edit)); }

Behaviour acknowledging(std::string pointer, json value) {
  return acknowledging([=](const json&, json& said) {
    if (said.contains("params")) said[json::json_pointer(pointer)] = value;
  });
}

constexpr const char* kSubscriptionId = "/params/_meta/io.modelcontextprotocol~1subscriptionId";

/// The first of all that listen, or null.
struct FirstListener {
  std::mutex mutex;
  json id;

  /// What was there before this one.
  json take(const json& listener) {
    const std::lock_guard lock(mutex);
    json before = id;
    if (id.is_null()) id = listener;
    return before;
  }
};

Mutation one_subscription_only() {
  return [] {
    const auto first = std::make_shared<FirstListener>();
    return on_call(kListening, [first](const json& call, const ProperCall& proper) -> Reply {
      return first->take(at(call, "/id")).is_null() ? proper() : Reply(failure_for(call, -32603));
    });
  };
}

Mutation named_like_the_first() {
  return [] {
    const auto first = std::make_shared<FirstListener>();
    return acknowledging([first](const json& call, json& said) {
      const json before = first->take(at(call, "/id"));
      if (!before.is_null() && said.contains("params")) {
        said[json::json_pointer(kSubscriptionId)] = before;
      }
    });
  };
}

/// Changes are told before each answer, whoever has ceased to listen.
Mutation telling_on() {
  return [] {
    const auto first = std::make_shared<FirstListener>();
    return on_call([first](const json& call, const ProperCall& proper) -> Reply {
      if (call["method"] == kListening) first->take(at(call, "/id"));
      const json listener = first->take(nullptr);
      if (call["method"] != "tools/list" || listener.is_null()) return proper();
      return Reply::several({change_for(listener), proper().value_or("")});
    });
  };
}

Mutation answering_what_is_cancelled() {
  return [] {
    const auto first = std::make_shared<FirstListener>();
    return on_call([first](const json& call, const ProperCall& proper) -> Reply {
      if (call["method"] == kListening) first->take(at(call, "/id"));
      const json listener = first->take(nullptr);
      const bool is_cancelled = call["method"] == "notifications/cancelled" &&
                                !listener.is_null() && at(call, "/params/requestId") == listener;
      return is_cancelled ? Reply(failure_for({{"id", listener}}, -32800)) : proper();
    });
  };
}

const json kEndOfSubscription = {{"resultType", "complete"}};

/// Says this behind the acknowledgment.
Behaviour saying_then(std::function<std::string(const json& call)> word) {
  return on_call(kListening, [word](const json& call, const ProperCall& proper) -> Reply {
    Reply reply = proper();
    if (!reply || !call.contains("id")) return reply;
    return Reply::several({*reply, word(call)});
  });
}

}  // namespace

std::span<const Mutant> mcp_subscription_faults() {
  static const Mutant all[] = {
      {"mcp-subscription-unacknowledged", breaks("mcp-sub-ack"), kLines,
       "A subscription is taken in silence.",
       on_call(kListening, [](const json&, const ProperCall&) -> Reply { return {}; })},
      {"mcp-subscription-answered-at-once", breaks("mcp-sub-ack").perhaps("mcp-st-server-info"),
       kLines, "A subscription is answered, and not acknowledged.",
       serve_call(kListening, kEndOfSubscription)},
      {"mcp-subscription-tells-first", breaks("mcp-sub-ack"), kLines,
       "A change is told ahead of the acknowledgment.",
       on_call(kListening,
               [](const json& call, const ProperCall& proper) -> Reply {
                 return Reply::several({change_for(at(call, "/id")), proper().value_or("")});
               })},
      {"mcp-subscription-id-as-text", breaks("mcp-sub-id"), kLines,
       "The id of a subscription, a number, comes back as a text.",
       acknowledging([](const json& call, json& said) {
         if (!at(call, "/id").is_number() || !said.contains("params")) return;
         said[json::json_pointer(kSubscriptionId)] = at(call, "/id").dump();
       })},
      {"mcp-change-without-subscription", breaks("mcp-sub-id"), kLines,
       "A change does not say to which subscription it is told.", saying_then([](const json&) {
         return own_notification("notifications/tools/list_changed", "{}");
       })},
      {"mcp-subscription-of-all-kinds", breaks("mcp-sub-subset"), kLines,
       "A subscription is promised what was not asked for.",
       acknowledging("/params/notifications/promptsListChanged", true)},
      {"mcp-one-subscription-only", breaks("mcp-sub-many"), kLines,
       "A subscription is refused beside another.", one_subscription_only()},
      {"mcp-subscription-named-like-another",
       breaks("mcp-sub-many").perhaps("mcp-sub-ack", "mcp-sub-subset"), kLines,
       "The second subscription has the id of the first.", named_like_the_first()},
      {"mcp-cancelled-subscription-goes-on", breaks("mcp-sub-cancel"), kLines,
       "Changes are told to a subscription that was cancelled.", telling_on()},
      {"mcp-cancelled-subscription-answered", breaks("mcp-stdio-cancelled-silent"), kLines,
       "A subscription that is cancelled is answered with an error.",
       answering_what_is_cancelled()},
  };
  return all;
}

std::span<const McpMutant> mcp_subscription_variants() {
  static const McpMutant all[] = {
      {{"mcp-subscription-ended", kLegal, kLines, "Subscriptions are ended as soon as they begin.",
        saying_then([](const json& call) {
          const json meta = {{"io.modelcontextprotocol/subscriptionId", at(call, "/id")},
                             {"io.modelcontextprotocol/serverInfo",
                              {{"name", "jrpcheck-reference"}, {"version", "1"}}}};
          return success_for(call, {{"resultType", "complete"}, {"_meta", meta}});
        })},
       {kJuly}},
      {{"mcp-subscription-changes-at-once", kLegal, kLines,
        "A change is told behind the acknowledgment.",
        saying_then([](const json& call) { return change_for(at(call, "/id")); })},
       {kJuly}},
      {{"mcp-subscription-to-nothing", kLegal, kLines, "A subscription is promised nothing.",
        acknowledging("/params/notifications", json::object())},
       {kJuly}},
      {{"mcp-no-subscriptions", kLegal, kLines, "Nobody may listen.",
        refuse_call(kListening, -32601)},
       {kJuly}},
  };
  return all;
}

}  // namespace jrpcheck::reference
