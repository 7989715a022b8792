// Envelope rules: what every reply must look like, whatever it answers (JSON-RPC 2.0 §5, §5.1).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dialogue/message.hpp"
#include "json/value.hpp"
#include "judge/charger.hpp"

namespace jrpcheck::judge {

/// The observation of a member that no specification names.
inline constexpr std::string_view kExtraMember = "extra member in Responses";

/// A value as findings show it: on one line, with what is invisible made visible.
std::string shown(const json::Value& value);

/// Judges the text of one reply as JSON and as UTF-8. `coding`: what it is encoded by, if anything.
void judge_text(const dialogue::Message& reply, Charger& charger, std::string_view coding = {});

/// Judges one Response Object by all envelope rules. `result_expected`: the call can only succeed,
/// so that a Response with neither result nor error is one that lost its result. `may_lack_id`: the
/// protocol lets this one come without.
void judge_response(const json::Value& response, bool result_expected, Charger& charger,
                    bool may_lack_id = false);

/// What every reply is held against, whatever it answers; where every reply breaks it, that is
/// charged once.
struct EnvelopeRequirement {
  std::string_view id;
  bool needs_cause = false;  ///< traffic does not show it: one must know what was to be answered
};
std::span<const EnvelopeRequirement> envelope_requirements();
bool is_envelope_requirement(std::string_view requirement);

}  // namespace jrpcheck::judge
