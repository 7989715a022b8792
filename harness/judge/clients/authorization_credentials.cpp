// By which credentials a client is known to an authorization server, and how it shows them.
#include <algorithm>
#include <map>
#include <set>

#include "base/base64.hpp"
#include "base/letter_case.hpp"
#include "base/percent.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/clients/authorization.hpp"

namespace jrpcheck::judge {
namespace {

using corpus::OAuthPlace;
using json::Kind;

constexpr std::string_view kRegistration = "mcp-c-auth-dynamic-registration";
constexpr std::string_view kType = "mcp-c-auth-application-type";
constexpr std::string_view kDocument = "mcp-c-auth-cimd";
constexpr std::string_view kGiven = "mcp-c-auth-preregistered";
constexpr std::string_view kMethod = "mcp-c-auth-token-method";
constexpr std::string_view kChange = "mcp-c-auth-server-change";

// In the parameters, or by the Basic scheme.
std::string client_of(const OAuthTurn& turn) {
  constexpr std::string_view kBasic = "Basic ";
  if (!turn.authorization.starts_with(kBasic)) return parameter_of(turn, "client_id");
  const auto pair = from_base64(turn.authorization.substr(kBasic.size())).value_or("");
  return percent_decoded(pair.substr(0, pair.find(':')));
}

std::string way_of(const OAuthTurn& turn) {
  const bool has_secret = !parameter_of(turn, "client_secret").empty();
  const bool has_field = turn.authorization.starts_with("Basic ");
  if (has_secret && has_field) return "client_secret_basic and client_secret_post at once";
  if (has_field) return "client_secret_basic";
  return has_secret ? "client_secret_post" : "none";
}

bool is_grant(const OAuthTurn& turn) {
  return turn.place == OAuthPlace::authorization || turn.place == OAuthPlace::token;
}

void judge_registration(const OAuthRecord& record, const OAuthTurn& turn, ClientCharges& charges) {
  charges.exercise(kRegistration);
  const auto parsed = json::parse(turn.body);
  const bool is_json =
      in_lower_case(turn.content_type).starts_with("application/json") && turn.status == 201;
  if (!is_json) {
    return charges.charge(kRegistration,
                          rule_broken("The client does not register by an Object in JSON.",
                                      "application/json", turn.content_type + " " + turn.body));
  }
  const auto redirects = [&](const OAuthTurn& each) {
    return each.place == OAuthPlace::authorization && client_of(each) == turn.given;
  };
  const json::Value* uris = json::at(*parsed.value, "/redirect_uris");
  const bool has_uris = uris != nullptr && uris->is(Kind::array) && uris->size() > 0;
  if (!has_uris && std::ranges::any_of(record.turns, redirects)) {
    charges.charge(kRegistration,
                   rule_broken("The client registers no redirect URI, and asks for redirects.",
                               "redirect_uris", turn.body));
  }
  charges.exercise(kType);
  if (parsed.value->find("application_type") != nullptr) return;
  charges.charge(kType, rule_broken("The client does not say what kind of application it is.",
                                    "application_type", turn.body));
}

bool knows_documents(const OAuthRecord& record, std::size_t server) {
  const auto metadata = json::parse(record.server_metadata[server]);
  const json::Value* says = metadata.value->find("client_id_metadata_document_supported");
  return says != nullptr && says->is(Kind::boolean) && says->as_boolean();
}

// basic/authorization § Client ID Metadata Documents.
void judge_document(const OAuthRecord& record, const OAuthTurn& turn, ClientCharges& charges) {
  const std::string id = client_of(turn);
  const bool is_secure = id.starts_with("https://");
  if (!is_secure && !id.starts_with("http://")) return;
  charges.exercise(kDocument);
  if (!knows_documents(record, turn.server)) {
    charges.charge(kDocument, rule_broken("The client id is the address of a document, which the "
                                          "authorization server does not support.",
                                          "another client id", id));
  }
  const auto path = id.find('/', id.find("://") + 3);
  if (is_secure && path != std::string::npos && path + 1 < id.size()) return;
  charges.charge(kDocument, rule_broken("The address that is the client id is not of HTTPS, or has "
                                        "no path.",
                                        "https://HOST/PATH", id));
}

// A try that is refused may be followed by another one.
void judge_method(const OAuthRecord& record, const std::set<std::string>& known,
                  ClientCharges& charges) {
  std::map<std::size_t, const OAuthTurn*> refused;
  for (const auto& turn : record.turns) {
    if (turn.place != OAuthPlace::token || !known.contains(client_of(turn))) continue;
    charges.exercise(kMethod);
    if (turn.status == 401) {
      refused[turn.server] = &turn;
    } else {
      refused.erase(turn.server);
    }
  }
  for (const auto& [server, turn] : refused) {
    const auto metadata = json::parse(record.server_metadata[server]);
    const json::Value* ways = metadata.value->find("token_endpoint_auth_methods_supported");
    charges.charge(kMethod, rule_broken("The client authenticates at the token endpoint in no way "
                                        "that the server supports.",
                                        ways == nullptr ? "" : json::write(*ways), way_of(*turn)));
  }
}

class ServerChange {
 public:
  ServerChange(const OAuthRecord& record, ClientCharges& charges)
      : record_(record), charges_(charges) {}

  void judge() {
    for (const auto& turn : record_.turns) {
      const bool is_good = turn.place == OAuthPlace::resource && !turn.given.empty();
      is_used_ = is_used_ || is_good;
      if (is_used_ && turn.place == OAuthPlace::resource && turn.status == 401)
        is_sent_away_ = true;
      if (is_sent_away_ && turn.place == OAuthPlace::resource_metadata) knows_ = true;
      if (turn.server == 0) hear_first(turn);
      if (turn.server == 1) hear_second(turn);
    }
  }

 private:
  void charge(const std::string& sentence, const std::string& actual) {
    charges_.exercise(kChange);
    charges_.charge(kChange,
                    rule_broken(sentence, "credentials of the new authorization server", actual));
  }

  void hear_first(const OAuthTurn& turn) {
    if (turn.place == OAuthPlace::authorization && knows_) {
      charge("The client asks the authorization server that the resource has left.", turn.path);
    }
    if (turn.place == OAuthPlace::registration) clients_.insert(turn.given);
    if (turn.place != OAuthPlace::token || turn.given.empty()) return;
    refreshes_.insert(turn.refresh);
    tokens_.insert(turn.given);
  }

  void hear_second(const OAuthTurn& turn) {
    if (turn.place == OAuthPlace::elsewhere) return;
    const std::string refresh = parameter_of(turn, "refresh_token");
    if (is_grant(turn)) {
      charges_.exercise(kChange);
      if (clients_.contains(client_of(turn))) {
        charge("The client takes its client id to another authorization server.", client_of(turn));
      }
    }
    if (!refresh.empty() && refreshes_.contains(refresh)) {
      charge("The client takes a refresh token to another authorization server.", refresh);
    }
    if (tokens_.contains(bearer_of(turn.authorization))) {
      charge("The client takes a token to another authorization server.", turn.authorization);
    }
  }

  const OAuthRecord& record_;
  ClientCharges& charges_;
  bool is_used_ = false;       // a token
  bool is_sent_away_ = false;  // with it, by 401
  bool knows_ = false;         // where the new one is
  std::set<std::string> clients_;
  std::set<std::string> refreshes_;
  std::set<std::string> tokens_;
};

}  // namespace

void judge_clients_credentials(const OAuthRecord& record, ClientCharges& charges) {
  const auto& plan = record.plan;
  std::set<std::string> known;
  if (plan.gives_credentials) known.insert(std::string(corpus::kGivenId));
  for (const auto& turn : record.turns) {
    if (turn.place == OAuthPlace::registration) {
      if (!turn.given.empty()) known.insert(turn.given);
      judge_registration(record, turn, charges);
    }
    if (is_grant(turn)) judge_document(record, turn, charges);
    // Where nothing else is offered it was given, by us or before.
    const bool has_own =
        !client_of(turn).empty() && client_of(turn).find("://") == std::string::npos;
    if (is_grant(turn) && plan.gives_credentials && has_own) charges.exercise(kGiven);
  }
  judge_method(record, known, charges);
  if (record.server_metadata.size() > 1) ServerChange(record, charges).judge();
}

}  // namespace jrpcheck::judge
