// Roles: which of a server's methods does what cases need.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "corpus/bindings.hpp"
#include "corpus/profile.hpp"
#include "result/run.hpp"
#include "run/endings.hpp"
#include "run/side_dialogue.hpp"
#include "session/conversation.hpp"
#include "session/patience.hpp"

namespace jrpcheck::run {

/// Reads a methods file: {"echo": {"method": "my.echo"}, ...}. A role whose method is null has
/// none; what else `roles_file` writes is for people.
Result<corpus::RoleBindings> load_methods_file(const std::string& file);

/// The text of a methods file with all roles: what each asks of a method, which one plays it, and
/// which were tried and refused.
std::string roles_file(const corpus::RoleBindings& found,
                       const std::vector<result::TriedMethod>& tried);

/// What is looked for.
struct RoleSearch {
  corpus::Profile profile;
  corpus::RoleBindings given = {};  ///< by the user
  /// A method that is given is tried before it is believed; else it is taken as it is.
  bool try_given = true;
  unsigned long long seed = 0;      ///< of the numbers that methods are tried with
  std::string omitted_params = {};  ///< corpus::Bindings::omitted_params
  bool unknown_hangs = false;       ///< or is not answered: Traits::no_unknown_methods
  bool are_requests_alone = false;  ///< wire::Binding::pairs_replies
  /// Told how many of the roles have been looked for.
  std::function<void(std::size_t done, std::size_t total)> told = {};
  /// With which answers are waited for; a shorter wait than its timeout tells nothing. None: nor
  /// does any other.
  session::Patience* patience = nullptr;
};

/// Which methods play roles.
struct Roles {
  corpus::RoleBindings methods;
  /// In which forms the methods that have been tried take their params, by role.
  std::map<std::string, corpus::ParamsForms> takes;
  /// Methods that play no role though their names promise it, or the user does.
  std::vector<result::TriedMethod> tried;
  /// corpus::Bindings::omitted_params: as before, or what some method that takes none wants.
  std::string omitted_params = {};
};

/// Tries methods by the names that the user and the profile give, and keeps those that do exactly
/// what the role asks; but for a protocol whose methods are known, also those that the
/// specification's examples and common servers use, and that the server lists itself. Nothing is
/// called that could do more than read. What passes is told to `dialogue`, where there is one; so
/// is a call that ends the server each time. An end that the same call does not bring about again
/// is noted in `endings`.
Roles discover_roles(const RoleSearch& search, session::Conversation& conversation,
                     SideDialogue* dialogue = nullptr, Endings* endings = nullptr);

/// Why a case tells nothing about a server whose methods take no params in the form that it sends;
/// empty when they do.
std::string params_not_taken(const corpus::Case& unbound, const corpus::RoleBindings& methods,
                             const std::map<std::string, corpus::ParamsForms>& takes);

}  // namespace jrpcheck::run
