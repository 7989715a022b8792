// The only place where a finding becomes English.
#include <algorithm>
#include <array>

#include "judge/judgement.hpp"

namespace jrpcheck::judge {
namespace {

struct Row {
  Symptom symptom;
  std::string_view name;
  std::string_view sentence;  // empty: the particulars are the sentence
};

constexpr std::array kRows = {
    Row{Symptom::reply_not_json, "reply-not-json", "The reply is not JSON."},
    Row{Symptom::reply_not_utf8, "reply-not-utf8", "The reply is not valid UTF-8."},
    Row{Symptom::response_not_object, "response-not-object", "A Response is not an Object."},
    Row{Symptom::member_misspelt, "member-misspelt",
        "A member of the Response is spelled in the wrong case."},
    Row{Symptom::member_repeated, "member-repeated",
        "A member is there more than once in the Response."},
    Row{Symptom::version_missing, "version-missing", "The Response has no jsonrpc member."},
    Row{Symptom::version_wrong, "version-wrong",
        "The Response's jsonrpc is not the String \"2.0\"."},
    Row{Symptom::id_missing, "id-missing", "The Response has no id member."},
    Row{Symptom::result_and_error, "result-and-error", "The Response has both result and error."},
    Row{Symptom::no_result_and_no_error, "no-result-and-no-error",
        "The Response has neither result nor error."},
    Row{Symptom::null_error_alone, "null-error-alone",
        "error is null, as where nothing failed, and there is no result."},
    Row{Symptom::error_not_object, "error-not-object", "error is not an Object."},
    Row{Symptom::code_missing, "code-missing", "The error has no code member."},
    Row{Symptom::code_not_integer, "code-not-integer",
        "The error's code is not an integer Number."},
    Row{Symptom::code_spelled_as_fraction, "code-spelled-as-fraction",
        "The error's code is an integer spelled with a fraction or an exponent."},
    Row{Symptom::code_reserved, "code-reserved",
        "The error's code lies in the reserved range and the specification does not define it."},
    Row{Symptom::message_missing, "message-missing", "The error has no message member."},
    Row{Symptom::message_not_string, "message-not-string", "The error's message is not a String."},
    Row{Symptom::message_not_concise, "message-not-concise",
        "The error's message is not one concise sentence."},
    Row{Symptom::leak, "leak", "The error tells where in the program it came from."},
    Row{Symptom::result_missing_1_0, "result-missing-1-0", "The Response has no result member."},
    Row{Symptom::error_missing_1_0, "error-missing-1-0", "The Response has no error member."},
    Row{Symptom::result_and_error_1_0, "result-and-error-1-0", "Neither result nor error is null."},
    Row{Symptom::request_version_missing, "request-version-missing",
        "A Request has no jsonrpc member."},
    Row{Symptom::request_version_wrong, "request-version-wrong",
        "The jsonrpc of a Request is not the String \"2.0\"."},
    Row{Symptom::request_id_of_wrong_type, "request-id-of-wrong-type",
        "The id of a Request is neither a String nor a Number."},
    Row{Symptom::method_not_string, "method-not-string",
        "The method of a Request is not a String."},
    Row{Symptom::params_not_structured, "params-not-structured",
        "The params of a Request are neither an Array nor an Object."},
    Row{Symptom::message_not_json, "message-not-json", "The message is not JSON."},
    Row{Symptom::method_missing, "method-missing", "A Request has no method."},
    Row{Symptom::request_member_unknown, "request-member-unknown",
        "A Request has a member that the specification does not know."},
    Row{Symptom::request_member_repeated, "request-member-repeated",
        "A member is there more than once in the Request."},
    Row{Symptom::request_id_null, "request-id-null", "A call has null as its id."},
    Row{Symptom::request_id_inexact, "request-id-inexact",
        "The id of a call is a Number that not every reader keeps exactly."},
    Row{Symptom::request_id_in_flight, "request-id-in-flight",
        "A call has the id of another one that is in flight."},
    Row{Symptom::batch_empty, "batch-empty", "The batch is empty."},
    Row{Symptom::element_not_object, "element-not-object", "An element of the batch is no Object."},
    Row{Symptom::wrong_id, "wrong-id", "The Response has the wrong id."},
    Row{Symptom::wrong_code, "wrong-code", "The error has the wrong code."},
    Row{Symptom::wrong_code_and_null_id, "wrong-code-and-null-id",
        "The error has the wrong code, and id null."},
    Row{Symptom::wrong_result, "wrong-result", "The result is wrong."},
    Row{Symptom::call_succeeded, "call-succeeded", "The call succeeded where it must fail."},
    Row{Symptom::call_failed, "call-failed", "The call failed where it must succeed."},
    Row{Symptom::call_failed_and_null_id, "call-failed-and-null-id",
        "The call failed where it must succeed, and has id null."},
    Row{Symptom::taken_for_request, "taken-for-request", "What is no Request is taken for one."},
    Row{Symptom::answered_in_1_0, "answered-in-1-0", "The server answers in JSON-RPC 1.0."},
    Row{Symptom::answered_in_2_0, "answered-in-2-0",
        "The reply has a member jsonrpc, as those of 2.0 have."},
    Row{Symptom::unanswered, "unanswered", "No Response came back."},
    Row{Symptom::answered, "answered", "Something came back where nothing may."},
    Row{Symptom::response_missing, "response-missing", "A Response is missing."},
    Row{Symptom::response_surplus, "response-surplus", "There is a Response too many."},
    Row{Symptom::message_for_batch, "message-for-batch",
        "One message came back where an Array is due."},
    Row{Symptom::messages_for_batch, "messages-for-batch",
        "Separate messages came back where an Array is due."},
    Row{Symptom::batch_for_messages, "batch-for-messages",
        "An Array came back where separate messages are due."},
    Row{Symptom::array_for_batches, "array-for-batches",
        "One Array came back for several batches."},
    Row{Symptom::not_one_object, "not-one-object", "The reply is not one Object."},
    Row{Symptom::several_messages, "several-messages", "More than one message came back."},
    Row{Symptom::second_response, "second-response",
        "A second Response to the call came after the first."},
    Row{Symptom::answers_no_call, "answers-no-call",
        "A Response came to a call that nobody had made."},
    Row{Symptom::answers_mixed_up, "answers-mixed-up",
        "On a connection that has served calls before, a call gets the answer to an earlier one."},
    Row{Symptom::answers_swapped, "answers-swapped",
        "A call gets the answer to another one that is under way on another connection."},
    Row{Symptom::died, "died", "The server died of this input."},
    Row{Symptom::died_later, "died-later",
        "The server died after it had answered, before anything else was sent."},
    Row{Symptom::serves_no_connection, "serves-no-connection",
        "The server serves no connection any more after this input."},
    Row{Symptom::serves_not_this_connection, "serves-not-this-connection",
        "The server answers nothing on this connection any more after this input."},
    Row{Symptom::call_behind_left_out, "call-behind-left-out",
        "The server leaves the call behind this input unanswered, and answers those that follow."},
    Row{Symptom::answers_changed, "answers-changed",
        "Since this input the server answers every call otherwise than before."},
    Row{Symptom::went_away, "went-away", ""},
    Row{Symptom::connection_dropped, "connection-dropped",
        "The server did not go on serving the connection in the time allowed."},
    Row{Symptom::no_http_response, "no-http-response", "The request has no HTTP response."},
    Row{Symptom::not_ended, "not-ended", "The program did not end by itself."},
    Row{Symptom::memory_grows, "memory-grows",
        "The server's memory grows with each message like this."},
    Row{Symptom::message_in_several_lines, "message-in-several-lines",
        "A message stands on several lines."},
    Row{Symptom::line_feed_missing, "line-feed-missing",
        "A message came without the line feed that ends it."},
    Row{Symptom::header_missing, "header-missing", "A message came without its header."},
    Row{Symptom::length_wrong, "length-wrong",
        "Content-Length is not the number of bytes of the message."},
    Row{Symptom::not_a_message, "not-a-message", "The server wrote something that is no message."},
    Row{Symptom::framing_broken, "framing-broken", "The framing is broken."},
    Row{Symptom::content_type_missing, "content-type-missing", "The response has no Content-Type."},
    Row{Symptom::content_type_wrong, "content-type-wrong",
        "The response has a Content-Type that is none of JSON."},
    Row{Symptom::connection_lost, "connection-lost",
        "The connection could not serve the next call."},
    Row{Symptom::status_changed, "status-changed",
        "The same error came with another HTTP status than before."},
    Row{Symptom::failure_status_of_result, "failure-status-of-result",
        "A call that has succeeded is answered with the HTTP status of a failure."},
    Row{Symptom::failure_status_of_notification, "failure-status-of-notification",
        "A Notification is answered with an HTTP status that says that the server has failed."},
    Row{Symptom::not_closed, "not-closed", "The connection was not closed, as it must be."},
    Row{Symptom::close_code_wrong, "close-code-wrong",
        "The connection was closed with another code than it may be."},
    Row{Symptom::pong_missing, "pong-missing", "A ping was not answered by its pong."},
    Row{Symptom::reply_binary, "reply-binary", "The reply to a text message is a binary message."},
    Row{Symptom::handshake_refused, "handshake-refused",
        "The handshake was refused, and the call on its connection could not be made."},
    Row{Symptom::accept_wrong, "accept-wrong",
        "The handshake is not answered with the Sec-WebSocket-Accept that belongs to its key."},
    Row{Symptom::upgrade_not_named, "upgrade-not-named",
        "The handshake is answered with status 101, and not with the fields that go with it."},
    Row{Symptom::subprotocol_not_offered, "subprotocol-not-offered",
        "The server chose a subprotocol that was not offered."},
    Row{Symptom::extension_not_offered, "extension-not-offered",
        "The server chose an extension that was not offered."},
    Row{Symptom::version_not_named, "version-not-named",
        "The refusal of a version does not name the one that is spoken."},
    Row{Symptom::tls_broken, "tls-broken", "TLS is not spoken as it must be."},
    Row{Symptom::changed_by_white_space, "changed-by-white-space",
        "White space between tokens changes the answer."},
    Row{Symptom::changed_by_escapes, "changed-by-escapes",
        "Characters written as escapes change the answer."},
    Row{Symptom::changed_by_member_order, "changed-by-member-order",
        "Another order of the Request's members changes the answer."},
    Row{Symptom::changed_by_param_order, "changed-by-param-order",
        "Another order of named params changes the answer."},
    Row{Symptom::changed_by_pieces, "changed-by-pieces",
        "Bytes that arrive in pieces change the answer."},
    Row{Symptom::changed_by_id, "changed-by-id", "Another id changes more than the id."},
    Row{Symptom::changed_in_batch, "changed-in-batch",
        "A batch is answered otherwise than its calls alone."},
    Row{Symptom::changed_by_notification, "changed-by-notification",
        "A Notification in a batch changes what it brings back."},
    Row{Symptom::changed_by_invalid_element, "changed-by-invalid-element",
        "What is no Request changes the answers to its neighbours in a batch."},
    Row{Symptom::changed_in_one_write, "changed-in-one-write",
        "Calls in one write are answered otherwise than each alone."},
    Row{Symptom::changed_by_earlier_message, "changed-by-earlier-message",
        "A message changes the answer to a later call."},
    Row{Symptom::schema_violated, "schema-violated",
        "A message does not fit the schema of the protocol."},
    Row{Symptom::rule_broken, "rule-broken", ""},
    Row{Symptom::outcome_of_case, "outcome-of-case", ""},
    Row{Symptom::cannot_be_judged, "cannot-be-judged", ""},
    Row{Symptom::untold, "untold", ""},
};

// The table is looked up by place.
constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].symptom) != i) return false;
  }
  return kRows.back().symptom == Symptom::untold;
}
static_assert(is_in_order());

const Row& row_of(Symptom symptom) { return kRows.at(static_cast<std::size_t>(symptom)); }

}  // namespace

std::string_view name_of(Symptom symptom) { return row_of(symptom).name; }

std::optional<Symptom> symptom_named(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kRows, [name](const Row& row) { return row.name == name; });
  if (found == kRows.end()) return std::nullopt;
  return found->symptom;
}

std::string sentence_of(Symptom symptom, std::string_view particulars) {
  std::string sentence(row_of(symptom).sentence);
  if (sentence.empty() || particulars.empty()) return sentence.append(particulars);
  sentence.pop_back();
  return sentence.append(" (").append(particulars).append(").");
}

std::string sentence_of(const Finding& finding) {
  return sentence_of(finding.symptom, finding.particulars);
}

}  // namespace jrpcheck::judge
