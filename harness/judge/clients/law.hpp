// By which law the clients of a protocol on top are judged.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "corpus/corpus.hpp"
#include "corpus/ledger.hpp"
#include "schema/message_schemas.hpp"

namespace jrpcheck::judge {

/// Cheap to copy.
struct ClientLaw {
  std::string family;            ///< the name of a profile that has rules for clients
  const corpus::Ledger& ledger;  ///< outlives this
  /// By version, where the profile has some.
  std::shared_ptr<const std::map<std::string, schema::MessageSchemas>> schemas = {};

  /// Null: nothing says how messages of that version look.
  const schema::MessageSchemas* schemas_of(const std::string& version) const;
};

/// That of the profile; a file with schemas that cannot be read is for `lint` to tell.
ClientLaw client_law_of(const corpus::Corpus& corpus);

}  // namespace jrpcheck::judge
