// What the heads of a client's requests repeat of their messages (MCP 2026-07-28).
#pragma once

#include <string>

#include "json/value.hpp"
#include "judge/clients/charges.hpp"
#include "judge/mirrored_arguments.hpp"
#include "wire/http_fields.hpp"

namespace jrpcheck::judge {

/// A call over HTTP of the tool that `due` is of. `knows_tool`: its client was told of the tool; of
/// another only what it does repeat is judged.
void judge_mirrored(const json::Value& message, const MirroredArguments& due,
                    const wire::HttpFields& fields, bool knows_tool, ClientCharges& charges);

/// Whether a field of that value says the text: as it is, or in the Base64 form, which some need.
bool is_said_by(const std::string& value, const std::string& text);
/// Whether a field can say the text only in that form.
bool needs_encoding(const std::string& text);

}  // namespace jrpcheck::judge
