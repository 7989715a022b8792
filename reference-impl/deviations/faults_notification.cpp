// Defects in keeping silent (JSON-RPC 2.0 §4.1).
#include <functional>
#include <string>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

/// The reply that a Notification would have if it were a call with id null.
ObjectText as_call(const ElementText& notification, const ProperReply& proper) {
  ObjectText call = *notification.object;
  call.set("id", "null");
  return *object_of(*proper(call.text()));
}

using Answer = std::function<Reply(const ObjectText& as_call)>;

/// Carries Notifications out as calls, and answers with what `answer` makes of the reply.
Behaviour on_notification(Answer answer) {
  return on_element(
      [answer = std::move(answer)](const ElementText& element, const ProperReply& proper) {
        if (!element.is_notification()) return proper(element.text);
        return answer(as_call(element, proper));
      });
}

/// Answers the Notifications whose call would fail with `code`; "" for those that would succeed.
Behaviour answering_those_with(const std::string& code, bool with_id = true) {
  return on_notification([=](ObjectText reply) -> Reply {
    if (code_of(reply) != code) return std::nullopt;
    if (!with_id) reply.remove("id");
    return reply.text();
  });
}

/// The same text for every Notification that would succeed.
Behaviour acknowledging_with(std::string text) {
  return on_notification([text = std::move(text)](const ObjectText& reply) -> Reply {
    return reply.has("result") ? Reply(text) : std::nullopt;
  });
}

constexpr Deviation kNotificationFaults[] = {
    {"notification-answered", "ntf-silent,(bat-all-notifications),(bat-each),(ntf-silent-in-batch)",
     kEverywhere, "A Notification that succeeds is answered with its result and id null.",
     [] { return answering_those_with(""); }},
    {"notification-answered-without-id",
     "ntf-silent,(bat-all-notifications),(bat-each),(ntf-silent-in-batch),(res-id-present)",
     kEverywhere, "A Notification that succeeds is answered by a Response without id.",
     [] { return answering_those_with("", /*with_id=*/false); }},
    {"notification-answered-null",
     "ntf-silent,(bat-all-notifications),(bat-each),(ntf-silent-in-batch),(res-object)",
     kEverywhere, "A Notification that succeeds is answered null.",
     [] { return acknowledging_with("null"); }},
    {"notification-answered-empty-array",
     "ntf-silent,(bat-all-notifications),(bat-each),(ntf-silent-in-batch),(res-object)",
     kEverywhere, "A Notification that succeeds is answered by an empty Array.",
     [] { return acknowledging_with("[]"); }},
    {"notification-answered-empty-object",
     "ntf-silent,(bat-all-notifications),(bat-each),(ntf-silent-in-batch),(res-exclusive),(res-id-"
     "present),(res-version)",
     kMarked, "A Notification that succeeds is answered by an empty Object.",
     [] { return acknowledging_with("{}"); }},
    {"notification-acknowledged-in-all-members",
     "ntf-silent,(bat-all-notifications),(bat-each),(ntf-silent-in-batch),(res-exclusive)",
     kEverywhere, "A Notification that succeeds is answered with id, result and error all null.",
     [] {
       return acknowledging_with(R"({"jsonrpc":"2.0","result":null,"error":null,"id":null})");
     }},
    {"notification-of-unknown-method-answered",
     "ntf-silent-unknown-method,(bat-all-notifications),(ntf-silent),(ntf-silent-in-batch)",
     kEverywhere, "A Notification of an unknown method is answered -32601 with id null.",
     [] { return answering_those_with("-32601"); }},
    {"notification-of-unknown-method-answered-without-id",
     "ntf-silent-unknown-method,(bat-all-notifications),(ntf-silent),(ntf-silent-in-batch),(res-id-"
     "present)",
     kEverywhere, "A Notification of an unknown method is answered -32601 without id.",
     [] { return answering_those_with("-32601", /*with_id=*/false); }},
    {"notification-of-unknown-method-answered-twice",
     "ntf-silent-unknown-method,(bat-all-notifications),(ntf-silent),(res-json)", kEverywhere,
     "A Notification of an unknown method is answered by two Responses.",
     [] {
       return on_notification([](const ObjectText& reply) -> Reply {
         if (code_of(reply) != "-32601") return std::nullopt;
         return reply.text() + kNextMessage + reply.text();
       });
     }},
    {"notification-with-invalid-params-answered",
     "ntf-silent-invalid-params,(ntf-silent-application-error),(ntf-silent-in-batch)", kEverywhere,
     "A Notification with params that its method cannot take is answered -32602.",
     [] { return answering_those_with("-32602"); }},
    {"notification-of-failing-method-answered", "ntf-silent-application-error", kEverywhere,
     "A Notification whose method fails is answered with the error.",
     [] { return answering_those_with("1000"); }},
    {"notification-in-batch-answered", "ntf-silent-in-batch", kEverywhere,
     "A Notification adds a Response to a batch, but not to a batch of Notifications alone.",
     [] {
       return Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         Reply reply = proper(message);
         if (!reply || !is_array(*reply)) return reply;
         return answering_those_with("-32601").reply(message, proper);
       }};
     }},
    {"notification-not-carried-out", "ntf-executed", kEverywhere, "Notifications are dropped.",
     [] {
       return on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
         return element.is_notification() ? std::nullopt : proper(element.text);
       });
     }},
    {"notification-fatal", "rob-survives", kEverywhere,
     "A Notification of an unknown method ends the process.",
     [] {
       return on_notification([](const ObjectText& reply) -> Reply {
         if (code_of(reply) == "-32601") throw Catastrophe{Catastrophe::Manner::exit};
         return std::nullopt;
       });
     }},
};

}  // namespace

std::span<const Deviation> notification_faults() { return kNotificationFaults; }

}  // namespace jrpcheck::reference
