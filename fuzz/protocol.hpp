// Protocol: what the protocol on top of JSON-RPC says of the messages that are made.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "judge/protocol.hpp"

namespace jrpcheck::fuzz {

struct Protocol {
  std::shared_ptr<const judge::Law> law;  ///< with what the server has said that it lists
  std::set<std::string> methods = {};     ///< that are safe to call, whatever their params
  std::set<std::string> slow = {};        ///< whose answers may take longer than we wait
  /// What the server lists and nobody has allowed: tools that may have effects.
  std::set<std::string> forbidden = {};
  bool has_heads = true;  ///< messages travel behind a head, which may say again what they say
};

/// With what of the server's lists is left alone. Who names `methods` knows that they are safe.
std::shared_ptr<Protocol> protocol_of(std::shared_ptr<const judge::Law> law,
                                      std::set<std::string> methods = {});

/// Whether nothing that the message calls, however it is read, has effects: its methods are those
/// that the profile calls safe, or such as no server has, and nothing that is forbidden is named.
bool may_be_sent(const Protocol& protocol, std::string_view message);

/// Whether that method is how the profile asks for one of its lists.
bool is_list(const Protocol& protocol, std::string_view method);

/// Whether the protocol says which messages a client has.
bool knows_its_messages(const Protocol& protocol);

/// Whether the protocol has such messages of a client, with all that it wants in each. Of others
/// nobody knows whether they are answered.
bool has_message(const Protocol& protocol, std::string_view message);

/// Whether it is sure which call each answer belongs to, and what that call says: else the law has
/// nothing to hold an answer against.
bool is_unambiguous(std::string_view message);

/// Not empty: a call whose answer may take longer than we wait, and what of it that depends on: the
/// method and the name of the tool.
std::string slow_call_in(const Protocol& protocol, std::string_view message);

/// The message with the members that the profile wants in every Request; as it is where it is none.
std::string with_request_members(const Protocol& protocol, std::string message);

}  // namespace jrpcheck::fuzz
