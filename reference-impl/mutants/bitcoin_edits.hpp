// The kinds of rewriting that mutants of the stand-in for a node of Bitcoin Core are made of.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/mutants/bitcoin_mutants.hpp"

namespace jrpcheck::reference::bitcoin {

using nlohmann::json;

/// The mutants of both dialects, and those of the new one where this version speaks it.
std::vector<Mutant> with_new_dialect(std::span<const Mutant> of_both,
                                     std::span<const Mutant> of_new, std::string_view version);

/// What the stand-in is logged in to by.
inline constexpr const char* kLogin = "Basic anJwY2hlY2s6anJwY2hlY2s=";

bool is_new(const json& call);
bool has_failed(const json& response);
void succeed(json& response, const json& result);
void replace_text(std::string& bytes, const std::string& from, const std::string& to);
void log_in_whoever(wire::HttpMessage& request, const std::string& beginning);

/// Edits the response to each call of one dialect that stands alone.
Behaviour editing_old(std::function<void(json& response)> edit);
Behaviour editing_new(std::function<void(json& response)> edit);
Behaviour editing_batches(std::function<void(const json& calls, json& batch)> edit);

/// Errors of calls of this method, in one dialect or both, get another code.
enum class In { both, old_dialect };
Behaviour recoding(std::string method, int from, int to, In dialect = In::both);
/// Errors of this code become a success.
Behaviour overlooking(int code, const json& result);
/// The message, or the call, reaches the node as another one.
Behaviour reading(std::function<void(json& message)> misread);
Behaviour reading_calls(std::function<void(json& call)> misread);
/// Everything that is exactly this message is answered so.
Behaviour answering(std::string message, std::string reply);
/// A response with this body.
HttpAnswer answer_in_json(int status, const std::string& body);
/// Requests whose answer has this status, and whose body fits, get another.
Behaviour with_status(const std::string& from, const std::string& to,
                      std::function<bool(const json& sent)> is_meant = {});
Behaviour with_head(std::function<void(const wire::HttpMessage&, std::string& bytes)> edit);

/// The user may call a few methods alone (rpcwhitelist).
Behaviour limiting_user();
/// The first calls are answered that it still starts.
Behaviour starting_up();
/// An old call on the heels of one of 2.0 is answered as that was.
Behaviour remembering_dialect();
/// What is fetched from a cache has the id of another call.
Behaviour caching_ids();
/// The result is written as the id is.
Behaviour writing_as_ids();
Behaviour without_notifications(bool failed_only);

}  // namespace jrpcheck::reference::bitcoin
