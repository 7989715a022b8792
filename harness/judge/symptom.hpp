// Symptoms: the ways in which something can be wrong. Each has a name that stays and a sentence
// that may be worded better at any time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jrpcheck::judge {

/// What is wrong, whichever requirement it breaks. Names and sentences stand in sentences.cpp, in
/// this order.
enum class Symptom {
  // From the text and the envelope of a reply.
  reply_not_json,
  reply_not_utf8,
  response_not_object,
  member_misspelt,
  member_repeated,
  version_missing,
  version_wrong,
  id_missing,
  result_and_error,
  no_result_and_no_error,
  null_error_alone,
  error_not_object,
  code_missing,
  code_not_integer,
  code_spelled_as_fraction,
  code_reserved,
  message_missing,
  message_not_string,
  message_not_concise,
  leak,

  // From the envelope of a Response of JSON-RPC 1.0.
  result_missing_1_0,
  error_missing_1_0,
  result_and_error_1_0,

  // From a Request or Notification that came: of a client, or of a server's own.
  request_version_missing,
  request_version_wrong,
  request_id_of_wrong_type,
  method_not_string,
  params_not_structured,
  message_not_json,
  method_missing,
  request_member_unknown,
  request_member_repeated,
  request_id_null,
  request_id_inexact,
  request_id_in_flight,
  batch_empty,
  element_not_object,

  // What a Response says.
  wrong_id,
  wrong_code,
  wrong_code_and_null_id,
  wrong_result,
  call_succeeded,
  call_failed,
  call_failed_and_null_id,
  taken_for_request,  ///< served or looked up, which depends on its method and not on the fault
  answered_in_1_0,
  answered_in_2_0,

  // Which messages came.
  unanswered,
  answered,
  response_missing,
  response_surplus,
  message_for_batch,
  messages_for_batch,
  batch_for_messages,
  array_for_batches,
  not_one_object,
  several_messages,
  second_response,
  answers_no_call,
  answers_mixed_up,
  answers_swapped,

  // What became of the server.
  died,
  died_later,
  serves_no_connection,
  serves_not_this_connection,
  call_behind_left_out,  ///< and those behind it are answered
  answers_changed,       ///< since something every call is answered otherwise
  went_away,             ///< and no message was found to bring it about: the words say how often
  connection_dropped,
  no_http_response,
  not_ended,
  memory_grows,

  // How it was carried.
  message_in_several_lines,
  line_feed_missing,
  header_missing,
  length_wrong,
  not_a_message,
  framing_broken,
  content_type_missing,
  content_type_wrong,
  connection_lost,
  status_changed,
  failure_status_of_result,
  failure_status_of_notification,
  not_closed,
  close_code_wrong,
  pong_missing,
  reply_binary,
  handshake_refused,
  accept_wrong,
  upgrade_not_named,
  subprotocol_not_offered,
  extension_not_offered,
  version_not_named,
  tls_broken,

  // What changes an answer that must not change.
  changed_by_white_space,
  changed_by_escapes,
  changed_by_member_order,
  changed_by_param_order,
  changed_by_pieces,
  changed_by_id,
  changed_in_batch,
  changed_by_notification,
  changed_by_invalid_element,
  changed_in_one_write,
  changed_by_earlier_message,

  // Told in words of their own.
  schema_violated,   ///< of the protocol on top: the words are the validator's
  rule_broken,       ///< of the protocol on top: the words are the rule's
  outcome_of_case,   ///< an outcome that its case calls wrong: the words are the case's `because`
  cannot_be_judged,  ///< nothing can be said about the server: the words say why
  untold,            ///< read from a file of an older version, which did not name symptoms
};

/// "wrong-id": never changes, because baselines and stored findings hold it.
std::string_view name_of(Symptom symptom);
std::optional<Symptom> symptom_named(std::string_view name);

/// "The Response has the wrong id." Particulars, where there are any, stand behind it in
/// parentheses, or are the sentence where the symptom has none of its own.
std::string sentence_of(Symptom symptom, std::string_view particulars);

}  // namespace jrpcheck::judge
