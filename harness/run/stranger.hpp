// Stranger: what is at a target and is no JSON-RPC endpoint, recognised by what it says.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.hpp"

namespace jrpcheck::run {

/// What somebody is, as far as it can be told, and what a user may do about it.
struct Stranger {
  std::string what;  ///< "it asks for a login (HTTP 401)"
  std::vector<std::string> advice = {};
  /// Nobody who speaks is there: it is the target that is missing, and not JSON-RPC.
  bool is_nobody = false;
  bool is_silent = false;
  /// What stands in front of a server that comes up says this as well.
  bool may_come_up = false;
  /// It may well be served at another path.
  bool may_be_elsewhere = false;
  std::string location = {};  ///< where it sends its clients

  /// "http://127.0.0.1:80/ is no JSON-RPC endpoint: it asks for a login (HTTP 401)", and the advice
  /// in lines of its own.
  std::string text(const std::string& target) const;
};

/// Whether this is meant for a Response to the message, well or badly made: whoever sends such a
/// thing is judged.
bool is_response_to(const json::Value& reply, std::string_view message, bool has_succeeded = true);

/// Whether no JSON-RPC server says this, however broken it is: text, or an Object with none of the
/// members of a Response or a call.
bool is_of_no_json_rpc(std::string_view said);

/// Whether it begins as a page of HTML does.
bool is_html(std::string_view text);

/// "an SSH server", by the first bytes that came unasked or in answer to whatever; empty where they
/// tell nothing.
std::string speaker_named(std::string_view bytes);

/// What came back to one call over HTTP.
struct HttpAnswer {
  std::string sent;   ///< the message
  std::string heard;  ///< the beginning of what came, where it was not HTTP
  bool closed = false;
  int status = 0;  ///< 0: no HTTP response came
  std::string content_type = {};
  std::string location = {};
  std::string challenge = {};  ///< WWW-Authenticate
  std::string coding = {};     ///< Content-Encoding
  std::string body = {};
  std::string head = {};
};

bool is_response(const HttpAnswer& answer);

/// How it was asked.
struct Asking {
  bool has_credentials = false;
  bool is_run_by_others = true;  ///< else the calls may have ended it
};

/// What answers so to every call. Nothing where one of the answers may be that of a JSON-RPC server
/// with faults.
std::optional<Stranger> recognise(const std::vector<HttpAnswer>& answers, const Asking& asking);

}  // namespace jrpcheck::run
