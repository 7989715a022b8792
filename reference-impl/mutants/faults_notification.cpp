// Defects in keeping silent (JSON-RPC 2.0 §4.1).
#include <functional>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

/// The reply that a Notification would have if it were a call with id null.
ObjectText as_call(const ElementText& notification, const ProperReply& proper) {
  ObjectText call = *notification.object;
  call.set("id", "null");
  return *object_of(*proper(call.text()));
}

/// Carries Notifications out as calls, and answers with what `answer` makes of the reply.
Behaviour on_notification(std::function<Reply(const ObjectText& as_call)> answer) {
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

/// The same within batches that have calls as well.
Behaviour answering_those_beside_calls(const std::string& code) {
  return {.reply = [code](std::string_view message, const ProperReply& proper) -> Reply {
    Reply reply = proper(message);
    if (!reply || !is_array(*reply)) return reply;
    return answering_those_with(code).reply(message, proper);
  }};
}

/// Finds out by failing that params are no good, and tells so of Notifications too.
Behaviour failing_of_params() {
  return on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
    Reply reply = proper(element.text);
    auto response = element.is_notification() ? std::optional(as_call(element, proper))
                    : reply                   ? object_of(*reply)
                                              : std::nullopt;
    if (!response || code_of(*response) != "-32602") return reply;
    return error_text(-32000, "These are no numbers", *response->find("id"));
  });
}

/// The same text for every Notification that would succeed.
Behaviour acknowledging_with(std::string text) {
  return on_notification([text = std::move(text)](const ObjectText& reply) -> Reply {
    return reply.has("result") ? Reply(text) : std::nullopt;
  });
}

}  // namespace

std::span<const Mutant> notification_faults() {
  static const Mutant all[] = {
      {"notification-answered",
       breaks("ntf-silent").perhaps("bat-all-notifications", "bat-each", "ntf-silent-in-batch"),
       kEverywhereAndTcp, "A Notification that succeeds is answered with its result and id null.",
       answering_those_with("")},
      {"notification-answered-without-id",
       breaks("ntf-silent").perhaps("bat-all-notifications", "bat-each", "ntf-silent-in-batch"),
       kEverywhere, "A Notification that succeeds is answered by a Response without id.",
       answering_those_with("", /*with_id=*/false)},
      {"notification-answered-null",
       breaks("ntf-silent")
           .perhaps("bat-all-notifications", "bat-each", "ntf-silent-in-batch", "res-object"),
       kEverywhere, "A Notification that succeeds is answered null.", acknowledging_with("null")},
      {"notification-answered-empty-array",
       breaks("ntf-silent")
           .perhaps("bat-all-notifications", "bat-each", "ntf-silent-in-batch", "res-object"),
       kEverywhere, "A Notification that succeeds is answered by an empty Array.",
       acknowledging_with("[]")},
      {"notification-answered-empty-object",
       breaks("ntf-silent")
           .perhaps("bat-all-notifications", "bat-each", "ntf-silent-in-batch", "res-exclusive",
                    "res-id-present", "res-version"),
       kMarked, "A Notification that succeeds is answered by an empty Object.",
       acknowledging_with("{}")},
      {"notification-acknowledged-in-all-members",
       breaks("ntf-silent")
           .perhaps("bat-all-notifications", "bat-each", "ntf-silent-in-batch", "res-exclusive"),
       kEverywhere, "A Notification that succeeds is answered with id, result and error all null.",
       acknowledging_with(R"({"jsonrpc":"2.0","result":null,"error":null,"id":null})")},
      {"notification-of-unknown-method-answered",
       breaks("ntf-silent-unknown-method")
           .perhaps("bat-all-notifications", "ntf-silent", "ntf-silent-in-batch"),
       kEverywhereAndWs, "A Notification of an unknown method is answered -32601 with id null.",
       answering_those_with("-32601")},
      {"notification-of-unknown-method-answered-without-id",
       breaks("ntf-silent-unknown-method")
           .perhaps("bat-all-notifications", "ntf-silent", "ntf-silent-in-batch"),
       kEverywhere, "A Notification of an unknown method is answered -32601 without id.",
       answering_those_with("-32601", /*with_id=*/false)},
      {"notification-of-unknown-method-answered-twice",
       breaks("ntf-silent-unknown-method")
           .perhaps("bat-all-notifications", "ntf-silent", "ntf-silent-in-batch", "bat-each",
                    "res-json"),
       kEverywhere, "A Notification of an unknown method is answered by two Responses.",
       on_notification([](const ObjectText& reply) -> Reply {
         if (code_of(reply) != "-32601") return std::nullopt;
         return Reply::several({reply.text(), reply.text()});
       })},
      {"notification-of-unknown-method-answered-by-error-alone",
       breaks("ntf-silent-unknown-method")
           .perhaps("bat-all-notifications", "bat-each", "ntf-silent", "ntf-silent-in-batch",
                    "res-exclusive", "res-id-present", "res-version"),
       kEverywhere,
       "A Notification of an unknown method is answered by the error object without its Response.",
       on_notification([](const ObjectText& reply) -> Reply {
         return code_of(reply) == "-32601" ? Reply(*reply.find("error")) : std::nullopt;
       })},
      {"notification-with-invalid-params-answered",
       breaks("ntf-silent-invalid-params")
           .perhaps("ntf-silent-application-error", "ntf-silent-in-batch", "bat-all-notifications"),
       kEverywhere, "A Notification with params that its method cannot take is answered -32602.",
       answering_those_with("-32602")},
      {"notification-with-null-result-answered",
       breaks("ntf-silent").perhaps("bat-all-notifications", "ntf-silent-in-batch"), kEverywhere,
       "A Notification whose method gives null is answered with that.",
       on_notification([](const ObjectText& reply) -> Reply {
         return reply.is("result", "null") ? Reply(reply.text()) : std::nullopt;
       })},
      {"notification-without-params-answered",
       breaks("ntf-silent-invalid-params").perhaps("ntf-silent-in-batch"), kEverywhere,
       "A Notification without the params that its method takes is answered -32602.",
       answer(
           [](const ElementText& element) {
             return element.is_notification() && element.method() == "subtract" &&
                    element.params() == nullptr;
           },
           refused(-32602))},
      {"notification-of-failing-method-answered",
       breaks("ntf-silent-application-error")
           .perhaps("ntf-silent-in-batch", "bat-all-notifications"),
       kEverywhere, "A Notification whose method fails is answered with the error.",
       answering_those_with("1000")},
      {"notification-that-fails-of-its-params-answered",
       breaks("ntf-silent-application-error")
           .perhaps("ntf-silent-in-batch", "ntf-silent-invalid-params", "par-invalid",
                    "bat-all-notifications"),
       kEverywhere,
       "Params that are no good make the method fail, and a Notification is answered with that.",
       failing_of_params},
      {"failing-notification-in-batch-answered", breaks("ntf-silent-in-batch"), kEverywhere,
       "A Notification whose method fails adds its error to a batch with calls.",
       answering_those_beside_calls("1000")},
      {"notification-in-batch-answered", breaks("ntf-silent-in-batch"), kEverywhere,
       "A Notification adds a Response to a batch, but not to a batch of Notifications alone.",
       answering_those_beside_calls("-32601")},
      {"notification-not-carried-out", breaks("ntf-executed"), kEverywhere,
       "Notifications are dropped.", answer(&ElementText::is_notification, silence())},
      {"notification-fatal", breaks("rob-survives"), kEverywhere,
       "A Notification of an unknown method ends the process.",
       on_notification([](const ObjectText& reply) -> Reply {
         if (code_of(reply) == "-32601") throw Catastrophe{Catastrophe::Manner::exit};
         return std::nullopt;
       })},
  };
  return all;
}

}  // namespace jrpcheck::reference
