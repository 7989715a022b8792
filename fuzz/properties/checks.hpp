// The checks of the properties, one a function.
#pragma once

#include "fuzz/properties/property.hpp"

namespace jrpcheck::properties {

// By the oracle alone.
Trial check_message(const Scenario& scenario, TestSession& session);
Trial check_notification(const Scenario& scenario, TestSession& session);
Trial check_answered_once(const Scenario& scenario, TestSession& session);
Trial check_answered_alone(const Scenario& scenario, TestSession& session);
Trial check_lengths(const Scenario& scenario, TestSession& session);
Trial check_conversation(const Scenario& scenario, TestSession& session);

// A message and another spelling of it.
Trial check_white_space(const Scenario& scenario, TestSession& session);
Trial check_escapes(const Scenario& scenario, TestSession& session);
Trial check_member_order(const Scenario& scenario, TestSession& session);
Trial check_param_order(const Scenario& scenario, TestSession& session);
Trial check_id_exchange(const Scenario& scenario, TestSession& session);
Trial check_split(const Scenario& scenario, TestSession& session);
Trial check_extra_member(const Scenario& scenario, TestSession& session);

// Calls and what stands beside them.
Trial check_batch_of_calls(const Scenario& scenario, TestSession& session);
Trial check_notification_in_batch(const Scenario& scenario, TestSession& session);
Trial check_invalid_neighbour(const Scenario& scenario, TestSession& session);
Trial check_one_write(const Scenario& scenario, TestSession& session);
Trial check_call_after_anything(const Scenario& scenario, TestSession& session);

}  // namespace jrpcheck::properties
