// Calls: what a careful client makes of what it is told. It knows no transport.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/limits.hpp"

namespace jrpcheck::reference {

/// How a call has ended.
struct CallEnd {
  nlohmann::json result;
  std::string error;  ///< empty: it has succeeded
};

/// The calls of one client, by their ids.
class Calls {
 public:
  using Id = std::int64_t;

  /// A call that is in flight from here on.
  Id begin();
  /// Calls that are in flight, in the order in which they were made.
  std::vector<Id> waiting() const;
  bool is_waiting(Id id) const { return ends_.count(id) == 0; }
  /// Of a call that is no longer in flight.
  const CallEnd& end_of(Id id) const { return ends_.at(id); }

  /// What one message settles. `batch` are the calls that an Array would answer; none: no Array is
  /// due. Gives what is owed to the server for a call of its own, or nothing.
  std::string take(std::string_view message, const std::vector<Id>& batch = {});

  /// Ends every call in flight, or those of them that are named.
  void fail_all(const std::string& reason) { fail(waiting(), reason); }
  void fail(const std::vector<Id>& ids, const std::string& reason);

 private:
  std::string take_element(const nlohmann::json& element);
  void take_response(const nlohmann::json& response);
  const Id* call_with(const nlohmann::json& id) const;

  std::vector<Id> made_;
  std::map<Id, CallEnd> ends_;
};

}  // namespace jrpcheck::reference
