// What the protocol on top leaves of a property.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/properties/property.hpp"
#include "fuzz/properties/scenario.hpp"
#include "fuzz/protocol.hpp"
#include "fuzz/to_run.hpp"

namespace jrpcheck::properties {

/// Why the property says nothing about servers of this protocol, with the clause where there is
/// one.
std::optional<std::string> why_not_applying(const Property& property,
                                            const fuzz::Protocol& protocol);

/// The scenario with what the profile wants in every Request.
Scenario as_sent(Scenario scenario, const fuzz::Protocol& protocol);

/// Whether the property is about messages of the protocol, and one of these is none.
bool is_foreign(const Property& property, const Scenario& scenario, const fuzz::Protocol& protocol);
bool is_foreign(const Property& property, const std::vector<fuzz::Asked>& record,
                const fuzz::Protocol& protocol);

}  // namespace jrpcheck::properties
