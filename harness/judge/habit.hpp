// Habit: something wrong that a server does every time it comes to it, whatever a case is about. A
// case about it charges it where it belongs; in the others it is the same fault, not another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.hpp"
#include "json/value.hpp"

namespace jrpcheck::judge {

/// Adds a habit that is not among them yet.
void add_habit(std::vector<std::string>& habits, std::string habit);

/// What was due and what came instead: "error -32601 -> result". A pattern that accepts several
/// codes has several names; one that accepts any error has none.
std::vector<std::string> reply_habits(const corpus::ResponsePattern& pattern,
                                      std::string_view what_came);

/// The same for the first Response that passes in a step, which is what a server usually gives:
/// what was due, and that no Response came ("nothing", "refused"). Calls at once have one where the
/// same is due to each of them.
std::vector<std::string> reply_habits(const corpus::Step& step, std::string_view what_came);

/// Nothing was due, and this came: "silence -> error -32601". Nothing where it is no Response.
std::vector<std::string> silence_habits(const json::Value& what_came);

/// "id number -> null": ids of one type come back as another.
std::vector<std::string> id_habits(const corpus::ResponsePattern& pattern, const json::Value& id);

/// The one answer to messages with text beyond ASCII is that they are no JSON: "text beyond ASCII
/// -> error -32700".
std::vector<std::string> text_habits(const corpus::Step& step, const json::Value& what_came);

/// After messages with text beyond ASCII nothing is answered on the connection any more: "text
/// beyond ASCII -> a deaf connection".
std::vector<std::string> deafness_habits(const corpus::Step& step);

/// Whatever comes, comes once more: "a message -> twice".
std::string repetition_habit();

/// A batch is answered by something that is no Array: "batch -> separate messages".
std::string batch_habit(std::string_view what_came);

/// Whether a code in place of the due one shows that the Request was taken for something else. A
/// server's own code, or an internal error, does not: there the fault is the code alone.
bool tells_another_stage(long long code);

}  // namespace jrpcheck::judge
