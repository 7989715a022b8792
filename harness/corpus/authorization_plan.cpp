#include "corpus/authorization_plan.hpp"

#include "json/parse.hpp"

namespace jrpcheck::corpus {
namespace {

using json::Kind;

std::string members_of(const MemberReader& reader, std::string_view name) {
  const json::Value* members = reader.find(name, Kind::object);
  return members == nullptr ? "{}" : json::write(*members);
}

std::optional<OAuthPlace> read_place(const MemberReader& reader) {
  const std::string name = reader.text("stops-before");
  if (name.empty()) return std::nullopt;
  if (name == "authorization") return OAuthPlace::authorization;
  if (name == "token") return OAuthPlace::token;
  reader.complain("\"stops-before\" is authorization or token");
  return std::nullopt;
}

}  // namespace

AuthorizationPlan read_authorization(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(
      object, complaint,
      {"challenge", "resource-metadata-at", "resource-metadata", "issuer", "endpoints",
       "server-metadata-at", "server-metadata", "redirect", "gives-credentials", "expires-after",
       "moves-to", "insufficient", "never-sufficient", "sends-elsewhere", "asks-for-token",
       "stops-before", "in-order"});
  AuthorizationPlan plan;
  const auto take = [&](std::string_view name, std::string& usual) {
    if (reader.find_any(name) != nullptr) usual = reader.text(name);
  };
  take("challenge", plan.challenge);
  take("resource-metadata-at", plan.resource_metadata_at);
  plan.resource_metadata = members_of(reader, "resource-metadata");
  plan.issuer = reader.text("issuer");
  take("endpoints", plan.endpoints);
  plan.server_metadata_at = std::string(kServerMetadata) + plan.issuer;
  take("server-metadata-at", plan.server_metadata_at);
  plan.server_metadata = members_of(reader, "server-metadata");
  if (const json::Value* redirect = reader.find("redirect", Kind::object)) {
    for (std::size_t i = 0; i < redirect->size(); ++i) {
      const auto& value = redirect->children()[i];
      auto& parameter = plan.redirect[redirect->names()[i]];
      if (value.is(Kind::string)) parameter = value.text();
    }
  }
  plan.gives_credentials = reader.flag("gives-credentials");
  plan.expires_after = reader.size("expires-after").value_or(0);
  plan.moves_to = reader.text("moves-to");
  plan.insufficient = reader.text("insufficient");
  plan.is_never_sufficient = reader.flag("never-sufficient");
  plan.sends_elsewhere = reader.flag("sends-elsewhere");
  plan.asks_for_token = reader.flag("asks-for-token");
  plan.stops_before = read_place(reader);
  plan.in_order = reader.texts("in-order");
  return plan;
}

}  // namespace jrpcheck::corpus
