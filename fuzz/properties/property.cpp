#include "fuzz/properties/property.hpp"

#include <algorithm>

#include "fuzz/properties/checks.hpp"

namespace jrpcheck::properties {
namespace {

const std::vector<Property> kTable = {
    {.id = "probe-answered",
     .title = "Every call that looks for methods is answered once, by its id and well-formed",
     .requirements = {"res-always", "id-echo", "res-version", "res-exclusive", "res-member-names"},
     .material = Material::probe,
     .check = &check_message},
    {.id = "call-answered",
     .title = "Every valid call is answered once, by its id",
     .requirements = {"res-always", "res-once", "id-echo", "err-code-method"},
     .material = Material::call,
     .check = &check_message},
    {.id = "answered-once",
     .title = "No call is answered again, later",
     .requirements = {"res-once"},
     .material = Material::calls,
     .check = &check_answered_once,
     .needs_stream = true,
     .most_tests = 10},
    {.id = "notification-silent",
     .title = "No Notification is answered",
     .requirements = {"ntf-silent", "ntf-silent-unknown-method"},
     .material = Material::call_and_notification,
     .check = &check_notification},
    {.id = "invalid-refused",
     .title = "What is no Request is refused, whatever is wrong with it",
     .requirements = {"err-code-invalid", "req-version", "req-method-required", "req-method-string",
                      "req-id-type"},
     .material = Material::invalid,
     .check = &check_message,
     .needs_foreign = true},
    {.id = "broken-refused",
     .title = "JSON that is cut off is answered -32700",
     .requirements = {"err-code-parse", "json-invalid", "bat-parse-error"},
     .material = Material::broken,
     .check = &check_message,
     .needs_foreign = true},
    {.id = "batch-answered",
     .title = "Every element of a batch is answered as it must be",
     .requirements = {"bat-each", "bat-array", "bat-one", "bat-empty", "bat-nested",
                      "bat-invalid-member", "bat-all-notifications", "bat-duplicate-ids"},
     .material = Material::batch,
     .check = &check_message,
     .needs_batches = true},
    {.id = "batch-is-its-calls",
     .title = "A batch brings back what its calls bring back alone",
     .requirements = {"bat-each", "bat-one"},
     .material = Material::calls,
     .check = &check_batch_of_calls,
     .needs_batches = true},
    {.id = "notification-in-batch",
     .title = "A Notification adds nothing to the answer to a batch",
     .requirements = {"ntf-silent-in-batch"},
     .material = Material::calls_and_notification,
     .check = &check_notification_in_batch,
     .needs_batches = true},
    {.id = "invalid-neighbour",
     .title = "What is no Request changes nothing for its neighbours in a batch",
     .requirements = {"bat-invalid-member"},
     .material = Material::calls_and_invalid,
     .check = &check_invalid_neighbour,
     .needs_batches = true,
     .needs_foreign = true},
    {.id = "split-anywhere",
     .title = "Bytes that arrive in pieces, cut anywhere, change nothing",
     .requirements = {"rob-split"},
     .material = Material::plain_call,
     .check = &check_split},
    {.id = "one-write",
     .title = "Calls in one write bring back what each brings back alone",
     .requirements = {"rob-pipelined"},
     .material = Material::calls,
     .check = &check_one_write,
     .needs_stream = true},
    {.id = "white-space",
     .title = "White space between tokens changes nothing",
     .requirements = {"json-whitespace"},
     .material = Material::plain_call,
     .check = &check_white_space},
    {.id = "escapes",
     .title = "Characters of Strings written as escapes change nothing",
     .requirements = {"json-escapes"},
     .material = Material::plain_call,
     .check = &check_escapes},
    {.id = "member-order",
     .title = "The order of a Request's members changes nothing",
     .requirements = {"err-code-method", "res-result-on-success", "res-always"},
     .material = Material::plain_call,
     .check = &check_member_order},
    {.id = "param-order",
     .title = "The order of named params changes nothing",
     .requirements = {"par-named"},
     .material = Material::call_with_named_params,
     .check = &check_param_order},
    {.id = "id-exchange",
     .title = "Another id changes the id of the answer and nothing else",
     .requirements = {"id-echo", "res-always"},
     .material = Material::call_and_id,
     .check = &check_id_exchange},
    {.id = "extra-member",
     .title = "A call with a member beyond the four is answered, ignored or refused",
     .requirements = {"req-extra-members", "res-always"},
     .material = Material::plain_call,
     .check = &check_extra_member,
     .observes = "req-extra-members"},
    {.id = "call-after-anything",
     .title = "After any message a good call is answered as before",
     .requirements = {"rob-survives", "rob-prototype-params"},
     .material = Material::call_and_anything,
     .check = &check_call_after_anything,
     .is_lasting = true},
    {.id = "conversation",
     .title = "Messages one after the other are each answered as they must be",
     .requirements = {"res-once", "res-always", "rob-survives"},
     .material = Material::conversation,
     .check = &check_conversation,
     .is_lasting = true},
};

}  // namespace

std::span<const Property> all_properties() { return kTable; }

std::string case_id_of(const Property& property) {
  return "properties/" + std::string(property.id);
}

const Property* find_property(std::string_view name) {
  const auto found = std::find_if(kTable.begin(), kTable.end(), [name](const auto& one) {
    return name == one.id || name == case_id_of(one);
  });
  return found == kTable.end() ? nullptr : &*found;
}

}  // namespace jrpcheck::properties
