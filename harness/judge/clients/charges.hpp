// What the rules of clients share: what is asked of a client, and what it is charged with.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/value.hpp"
#include "judge/charger.hpp"
#include "judge/clients/law.hpp"
#include "judge/clients/words.hpp"

namespace jrpcheck::judge {

/// Those of one session.
class ClientCharges {
 public:
  explicit ClientCharges(ClientLaw law);
  ClientCharges(const ClientCharges&) = delete;
  ClientCharges& operator=(const ClientCharges&) = delete;

  const WordsOfClients& words() const { return words_; }
  bool is_mcp() const { return words_.family == "mcp"; }
  /// Asked for, and then agreed on.
  std::optional<std::string> version;

  /// What the ledger does not have is not asked of this profile, and what is of other versions not
  /// of this session. Before a version is named, only what all with a handshake share.
  bool is_asked(std::string_view requirement) const;
  void exercise(std::string_view requirement);
  /// `at`: a pointer into the message.
  void charge(std::string_view requirement, const json::Value& message, std::string_view at,
              std::string sentence, std::string expected);
  void charge(std::string_view requirement, Fault fault);

  /// Those of the version that was agreed on; null: there are none.
  const schema::MessageSchemas* schemas() const;

  /// What was found since this was asked last.
  Judgement take();

 private:
  bool is_charged(std::string_view requirement) const;

  const ClientLaw law_;
  const WordsOfClients& words_;
  Judgement judgement_;
  Charger charger_;
};

/// The id as a key; none where there is none, or it is longer than anybody needs.
std::optional<std::string> kept_key(const json::Value* id);

}  // namespace jrpcheck::judge
