// What HTTP says beside the messages it carries: connections, statuses, content types.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "corpus/case.hpp"
#include "dialogue/exchange.hpp"
#include "judge/charger.hpp"

namespace jrpcheck::judge {

/// Judges the HTTP of one step by what it and the one before brought back. Does nothing where there
/// is no HTTP.
void judge_http_step(const corpus::Case& bound, std::size_t step,
                     std::span<const dialogue::Exchange> exchanges, Charger& charger);

/// The part of it for which nobody has to know what was sent but whether anything was due.
void judge_http_exchange(const dialogue::Exchange& exchange, bool is_owed_nothing,
                         Charger& charger);

/// What is wrong with the head of a response, as it came: one of the notes of dialogue/traffic.hpp,
/// or nothing.
std::string_view fault_of_head(const std::string& head);
/// What is wanted in place of that; nothing where it is no such note.
std::string_view wanted_of_head(std::string_view fault);

}  // namespace jrpcheck::judge
