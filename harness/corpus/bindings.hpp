// Placeholders of case files and the values that take their place.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "corpus/case.hpp"
#include "corpus/catalogue.hpp"

namespace jrpcheck::corpus {

struct Profile;

/// The roles that there are, in the order of cases/README.md. No case asks for `add` or
/// `add-named`, which stand in for another.
const std::vector<std::string>& known_roles();

/// The methods of a server that play the roles of cases/README.md, by role.
using RoleBindings = std::map<std::string, std::string>;

/// What the placeholders of one case become in one run.
struct Bindings {
  /// `${id}` is this number; `${id2}` to `${id9}` are the ones after it.
  long long first_id = 1;
  /// `${string-id}`.
  std::string string_id;
  /// `${unknown}`; `${unknown2}` has a 2 appended.
  std::string unknown_method;
  RoleBindings roles = {};
  /// `${version}`: of the protocol on top, by which the server is judged.
  std::string version = {};
  /// Outcomes that are for other transports are dropped; empty: none is.
  std::string transport = {};
  /// JSON text of the params that Requests without any get, where the server does not take them
  /// otherwise; empty: they stay without. A case about omitted params is left as it is.
  std::string omitted_params = {};
  /// A JSON Object whose members the params of each Request get; empty: none do.
  std::string request_members = {};
  /// What the server lists; null: it was not asked.
  const Catalogue* catalogue = nullptr;

  /// Takes over what the messages of a protocol hold.
  void adopt(const Profile& profile);
};

/// In which forms a method takes its params (JSON-RPC 2.0 §4.2), or a case sends them.
struct ParamsForms {
  bool by_position = true;
  bool by_name = true;

  bool operator==(const ParamsForms&) const = default;
};

/// The forms in which a case sends params to the methods of its roles, by role.
std::map<std::string, ParamsForms> forms_sent(const Case& unbound);

/// Params with these members, a JSON Object, behind what stands there already: none of that is
/// changed. Params that are no Object are as they were; empty texts stand for none.
std::string params_with_members(const std::string& params, const std::string& members);
/// A Request with such params.
dialogue::Message with_request_members(const dialogue::Message& message,
                                       const std::string& members);

/// An Error where a placeholder does not exist, or names a role that the case does not ask for: at
/// run time that would leave the case without a run.
Result<bool> check_placeholders(const Case& unbound);

/// Wherever an error with id null is accepted, one without an id is as well
/// (Profile::errors_without_id).
void allow_errors_without_id(Step& step);

/// Whose method plays the role in this case: its own, or that of another that stands in for it and
/// tells as much (stand_in.hpp). Empty: nobody's.
std::string player_of(const std::string& role, const Case& unbound, const RoleBindings& roles);

/// The case with every placeholder replaced: ready to be sent and judged. The error names a
/// placeholder that does not exist, or a role that `bindings` leaves unbound.
Result<Case> bind(const Case& unbound, const Bindings& bindings);

}  // namespace jrpcheck::corpus
