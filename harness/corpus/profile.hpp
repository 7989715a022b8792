// Profile: by which law a server is judged. Plain data, read from cases/profiles/.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "corpus/dialect.hpp"
#include "corpus/other_codes.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::corpus {

/// A condition on one item of a list that the server gave: what stands at a JSON pointer.
struct Condition {
  std::string at;
  std::string equals = {};      ///< JSON text; empty: not asked
  std::string not_equals = {};  ///< JSON text; empty: not asked
  /// Words of which none may be part of the text, whatever their case.
  std::vector<std::string> without = {};
  std::optional<long long> at_most = {};  ///< a Number that is there is no larger
  std::optional<bool> present = {};
  std::string begins = {};  ///< a text is there that begins like this; empty: not asked
};

/// The items of a list that meet all conditions: the tools that may be called.
struct ItemSelection {
  std::string of;  ///< the name of a list
  std::vector<Condition> where;
  std::string name_at;  ///< where --allow finds the name of an item; empty: nothing allows more
};

/// A list that the server gives, with all its pages.
struct ListCall {
  std::string name;         ///< "tools"
  std::string method;       ///< "tools/list"
  std::string items;        ///< a JSON pointer into the result
  std::string next = {};    ///< where the result has what asks for the next page; empty: no pages
  std::string cursor = {};  ///< the member of params that takes it
  std::string when = {};    ///< asked only where this is declared: a pointer; empty: always
};

/// How one finds out which versions a server speaks: a call to a server that was just started, and
/// where its answer has versions, as texts or lists of texts.
struct VersionProbe {
  std::string message;
  std::vector<std::string> versions_at;
  /// Of a protocol without versions: what its answer shows, and no other server's.
  std::vector<Condition> shows = {};
  std::string version = {};  ///< that its answer then shows; empty: none
  /// Others answer it likewise: it tells the version of a server whose protocol the user has named.
  bool where_named = false;
  /// What it says over HTTP beside what the profile has for every request.
  std::vector<std::pair<std::string, std::string>> fields = {};
};

/// A rule of the table in judge/, and the requirement that it charges.
struct NamedRule {
  std::string name;
  std::string charges;
};

/// What of the common corpus this protocol does not ask for, and by which clause.
struct Exemption {
  std::vector<std::string> cases;         ///< patterns of cases that do not run
  std::vector<std::string> requirements;  ///< what they are charged with is recorded alone
  std::string clause;
  std::string because;
};

/// Where a call of the opening has what is not the same for all servers: a folder or null, or
/// options.
struct OpeningPlace {
  std::string method;
  std::string at;  ///< a JSON pointer into the message
};

/// What is peculiar to its messages over HTTP.
struct HttpHabits {
  std::vector<std::pair<std::string, std::string>> fields = {};  ///< of every request
  std::vector<std::pair<std::string, std::string>> after_opening = {};
  bool listens = false;                ///< a GET opens a stream for what the server says by itself
  std::vector<std::string> kept = {};  ///< those of the opening's answer that are sent from then on
  /// A field, and where its value stands in what answered the opening, or in the message: the
  /// first of these pointers.
  std::vector<std::pair<std::string, std::vector<std::string>>> from_message = {};
  bool wants_login = false;  ///< its servers serve nobody who is not logged in
  /// By what a user may be kept from methods, who is answered 403 without a body then; empty: by
  /// nothing.
  std::string limits_users = {};
  /// What is no Request and is not accepted may be refused by an error status whose body is an
  /// error without an id.
  bool refuses_notifications = false;

  bool empty() const {
    return fields.empty() && after_opening.empty() && !listens && kept.empty() &&
           from_message.empty() && !wants_login && limits_users.empty() && !refuses_notifications;
  }
};

/// How an error may come without an id, where that of what was sent could not be read.
struct ErrorsWithoutId {
  int from_status = 0;  ///< only under an HTTP status of at least this; 0: however it comes
  std::string recorded_as = {};  ///< a requirement; empty: nothing is recorded
};

/// What says that a Notification is not answered, where a protocol does not say so itself.
inline constexpr std::string_view kSilence = "ntf-silent";

/// What `Profile::places` has for a class about clients, which are carried in any way.
inline constexpr std::string_view kPlaceOfClients = "client";

struct Profile {
  std::string name;   ///< what --profile takes: "jsonrpc-2.0"
  std::string title;  ///< one line for people
  /// How the calls are written that belong to no case: control calls and the discovery of roles.
  Dialect dialect = Dialect::json_rpc_2_0;
  /// Classes of requirements. Those of a transport apply where the server speaks over it.
  std::vector<std::string> classes;
  /// Method names that are tried for a role before all others.
  std::map<std::string, std::vector<std::string>> roles = {};
  /// Messages of the handshake that comes before anything else; none: there is none.
  std::vector<std::string> opening = {};
  /// Where a server that refuses null there is given an empty folder.
  std::optional<OpeningPlace> empty_folder = {};
  std::optional<OpeningPlace> own_options = {};  ///< of the server, which a user's opening may have
  std::string framing = {};       ///< that its servers speak on a stream; empty: it is found out
  bool batches_optional = false;  ///< the protocol has none, so that refusing them is no fault
  /// Params are given by position alone: a call with an Object may be refused as none.
  bool params_by_position = false;

  /// Classes that are about one way to carry messages: its class in place of the binding's own.
  std::map<std::string, std::string> places = {};
  std::string family = {};   ///< the name without the version
  std::string version = {};  ///< empty: the protocol has none, or it is to be found out
  std::vector<std::string> versions = {};  ///< of the family, the oldest first
  std::vector<VersionProbe> detection = {};
  std::vector<std::string> spoken_on = {};  ///< bindings on which it is looked for
  std::string control_method = {};          ///< what is called to see whether the server serves
  std::string control_params = {};          ///< JSON text; empty: none
  /// What its answer then meets of a server that still starts; none: no answer tells that.
  std::vector<Condition> not_yet = {};
  std::string request_members = {};  ///< a JSON Object whose members each Request's params get
  std::map<std::string, std::string> answers = {};  ///< to the server's calls: method, JSON text
  std::vector<Exemption> exemptions = {};
  std::vector<OtherCodes> other_codes = {};
  std::string declared_by = {};  ///< the method whose result declares what the server can do
  std::vector<ListCall> lists = {};
  std::map<std::string, ItemSelection> selections = {};
  std::string schemas = {};  ///< the file with the schemas of its messages, by its path
  std::vector<NamedRule> rules = {};
  /// Its own requirement of that, for what belongs to no case.
  std::string silence = std::string(kSilence);
  HttpHabits http = {};
  std::optional<ErrorsWithoutId> errors_without_id = {};  ///< nothing: every error has its id
  /// What may be called with any params: it changes nothing, and takes little of the server.
  std::vector<std::string> safe_methods = {};

  bool has_class(std::string_view class_name) const;
  /// Whether a class is about servers on this binding; null: nobody knows which.
  bool applies_class(const wire::Binding* binding, std::string_view class_name) const;
  /// Whether something for these versions is for this profile; no versions are all.
  bool is_of(const std::vector<std::string>& of_versions) const;
  /// Whether a class is about that way to carry messages: "http".
  bool has_place(std::string_view place) const;
  /// Whether the class is about clients of the protocol.
  bool is_of_clients(std::string_view class_name) const;
  /// The exemption of a case or a requirement; null where there is none.
  const Exemption* exempts_case(std::string_view id) const;
  const Exemption* exempts_requirement(std::string_view id) const;
};

/// What --profile is when nobody names one.
inline constexpr std::string_view kDefaultProfile = "jsonrpc-2.0";

/// Reads the text of a profile; `name` is the file's name for errors. The first is the profile
/// itself; behind it stands one for each of its versions.
Result<std::vector<Profile>> load_profiles(const std::string& name, std::string_view text);

/// The first of them.
Result<Profile> load_profile(const std::string& name, std::string_view text);

}  // namespace jrpcheck::corpus
