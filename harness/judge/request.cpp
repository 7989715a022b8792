#include "judge/request.hpp"

#include <array>
#include <set>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "json/number.hpp"
#include "json/pointer.hpp"
#include "judge/envelope.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Side;
using json::Kind;

constexpr std::array<std::string_view, 4> kRequestMembers = {"jsonrpc", "method", "params", "id"};

constexpr std::size_t kMostUnknownMembers = 10;

// Where departures are charged; empty: they are left open.
struct Charges {
  std::string_view version_of_1_0;
  std::string_view version;
  std::string_view method_missing;
  std::string_view method;
  std::string_view params;
  std::string_view params_null;
  std::string_view id_type;
  /// What is asked of a server's answers to Requests is not shown by a right one of its own.
  bool is_shown_by_right_ones;
};

void exercise(const Charges& charges, std::string_view requirement, Charger& charger) {
  if (charges.is_shown_by_right_ones) charger.exercise(requirement);
}

constexpr Charges kOfServer = {"req-version-missing",   "req-version",
                               "req-method-required",   "req-method-string",
                               "req-params-structured", {},
                               "req-id-type",           false};
constexpr Charges kOfClient = {"cl-req-version", "cl-req-version", "cl-req-method", "cl-req-method",
                               "cl-req-params",  "cl-req-params",  "cl-id-type",    true};

bool is_structured(const json::Value& params) {
  return params.is(Kind::array) || params.is(Kind::object);
}

// JSON-RPC 1.0 §1.1, §1.3: no version, an Array of params, and an id, which may be null. What is
// neither that nor says 2.0 is a message of no version.
bool may_be_of_1_0(const json::Value& request) {
  const json::Value* params = request.find("params");
  return params != nullptr && params->is(Kind::array) && request.find("id") != nullptr;
}

void judge_version_of(const json::Value& request, const Charges& charges, Charger& charger) {
  const json::Value* version = request.find("jsonrpc");
  if (version == nullptr) {
    charger.charge(
        may_be_of_1_0(request) ? charges.version_of_1_0 : charges.version,
        {Symptom::request_version_missing, R"("jsonrpc":"2.0")", shown(request), "/jsonrpc"});
    return;
  }
  exercise(charges, charges.version, charger);
  if (!version->is(Kind::string) || version->text() != "2.0") {
    charger.charge(charges.version,
                   {Symptom::request_version_wrong, R"("2.0")", shown(*version), "/jsonrpc"});
  }
}

void judge_method_of(const json::Value& request, const Charges& charges, Charger& charger) {
  const json::Value* method = request.find("method");
  if (method == nullptr) {
    charger.charge(charges.method_missing,
                   {Symptom::method_missing, "\"method\"", shown(request), "/method"});
    return;
  }
  exercise(charges, charges.method, charger);
  if (method->is(Kind::string)) return;
  charger.charge(charges.method,
                 {Symptom::method_not_string, "a String", shown(*method), "/method"});
}

void judge_params_of(const json::Value& request, const Charges& charges, Charger& charger) {
  exercise(charges, charges.params, charger);
  const json::Value* params = request.find("params");
  if (params == nullptr || is_structured(*params)) return;
  const auto requirement = params->is(Kind::null) ? charges.params_null : charges.params;
  if (requirement.empty()) return;
  charger.charge(requirement, {Symptom::params_not_structured, "an Array or an Object",
                               shown(*params), "/params"});
}

void judge_id_of(const json::Value& request, const Charges& charges, Charger& charger) {
  const json::Value* id = request.find("id");
  if (id == nullptr) return;
  exercise(charges, charges.id_type, charger);
  if (id->is(Kind::string) || id->is(Kind::number) || id->is(Kind::null)) return;
  charger.charge(charges.id_type,
                 {Symptom::request_id_of_wrong_type, "a String or a Number", shown(*id), "/id"});
}

void judge_id_of_client(const json::Value& request, Charger& charger) {
  const json::Value* id = request.find("id");
  if (id == nullptr) return;
  charger.exercise("cl-id-not-null");
  if (id->is(Kind::null)) {
    charger.charge("cl-id-not-null",
                   {Symptom::request_id_null, "a String or a Number", shown(request), "/id"});
  }
  if (!id->is(Kind::number)) return;
  charger.exercise("cl-id-no-fraction");
  if (json::is_interoperable_integer(id->text())) return;
  charger.charge("cl-id-no-fraction", {Symptom::request_id_inexact,
                                       "a whole Number of at most 2^53-1", shown(*id), "/id"});
}

void judge_members_of_client(const json::Value& request, Charger& charger) {
  charger.exercise("cl-req-members");
  charger.exercise("cl-req-duplicate-members");
  std::set<std::string_view> known;
  std::size_t unknown = 0;
  for (const auto& name : request.names()) {
    if (!known.insert(name).second) {
      charger.charge("cl-req-duplicate-members",
                     {Symptom::request_member_repeated, "one \"" + name + "\"", shown(request),
                      json::joined("", name)});
      return;
    }
    // A client may send a hundred thousand.
    if (contains(kRequestMembers, name) || ++unknown > kMostUnknownMembers) continue;
    charger.charge("cl-req-members",
                   {Symptom::request_member_unknown, "jsonrpc, method, params and id",
                    shown(request), json::joined("", name)});
  }
}

}  // namespace

void judge_request_text(const dialogue::Message& message, Charger& charger) {
  charger.exercise("cl-req-json");
  if (message.value() != nullptr || message.is_beyond_limits()) return;
  charger.charge("cl-req-json",
                 {Symptom::message_not_json,
                  "one JSON text in UTF-8",
                  to_visible(message.text()),
                  {},
                  message.error().message + " at byte " + std::to_string(message.error().offset)});
}

void judge_request(const json::Value& request, Side side, Charger& charger) {
  const Charges& charges = side == Side::client ? kOfClient : kOfServer;
  // What is no Object lacks all of it, which is one fault.
  if (request.is(Kind::object)) judge_version_of(request, charges, charger);
  judge_method_of(request, charges, charger);
  judge_params_of(request, charges, charger);
  judge_id_of(request, charges, charger);
  if (side == Side::server) return;
  judge_id_of_client(request, charger);
  judge_members_of_client(request, charger);
}

}  // namespace jrpcheck::judge
