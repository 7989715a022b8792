// The rules of the Model Context Protocol for clients that are asked for a token, held against all
// that such a client asked of the server and of its authorization servers.
#pragma once

#include <string_view>

#include "corpus/authorization_plan.hpp"
#include "corpus/ledger.hpp"
#include "judge/clients/charges.hpp"
#include "judge/clients/oauth_record.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::judge {

Judgement judge_authorization(const OAuthRecord& record, std::string_view family,
                              const corpus::Ledger& ledger);

/// How far it went: whether it asked for authorization or a token.
bool asks_for_token(const OAuthRecord& record);
bool has_asked(const OAuthRecord& record, corpus::OAuthPlace place);
/// Whether it looked for any metadata, or asked an authorization server for anything.
bool begins_authorization(const OAuthRecord& record);

/// Kinds of rules, a file each.
void judge_use_of_tokens(const OAuthRecord& record, ClientCharges& charges);
void judge_grants(const OAuthRecord& record, ClientCharges& charges);
void judge_scopes(const OAuthRecord& record, ClientCharges& charges);
void judge_clients_credentials(const OAuthRecord& record, ClientCharges& charges);

/// Empty where there is none of that name.
std::string parameter_of(const OAuthTurn& turn, std::string_view name);
inline Fault rule_broken(std::string sentence, std::string expected, std::string actual) {
  return {Symptom::rule_broken, std::move(expected), std::move(actual), "", std::move(sentence)};
}

}  // namespace jrpcheck::judge
