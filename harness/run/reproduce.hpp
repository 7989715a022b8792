// The shell lines with which a person sends a case's messages by hand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "corpus/profile.hpp"
#include "dialogue/transcript.hpp"
#include "run/connections_by_hand.hpp"
#include "session/conversation.hpp"
#include "session/upgrade.hpp"
#include "transport/target.hpp"
#include "wire/binding.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::run {

/// What a conversation over HTTP takes beside its messages.
struct HttpByHand {
  corpus::HttpHabits habits = {};
  std::vector<std::string> opening = {};  ///< the messages of the handshake
  bool has_endpoint_stream = false;       ///< as in session::HttpSettings
};

/// curl, once for each message; before them the handshake, whose session goes along. Requests that
/// come in pieces, or several on one connection, are piped into one. What may be a secret stands
/// there as a variable.
std::string curl_lines(const corpus::Case& bound, const transport::Target& target,
                       const wire::HttpFields& extra_fields, const HttpByHand& manner = {});

/// Whole messages in the clear are said by python3-websockets. All else, for each connection that
/// the case needs: the handshake, the opening and the messages as frames whose mask is zero, so
/// that they can be read; piped into a command that takes them to the server. What may be a secret
/// stands there as a variable.
std::string websocket_lines(const corpus::Case& bound, const session::UpgradeSettings& settings,
                            const session::Opening& opening, const WayByHand& way);

/// What the server was answered that asked something itself.
struct AnswersByHand {
  std::vector<dialogue::Event> opened = {};  ///< what passed as a conversation was opened
  std::vector<std::string> in_steps = {};    ///< bytes, for the first steps of the case
};

/// The opening and the messages, each behind a moment for the answers to those before, piped into a
/// program or a connection; on sockets what has connections of its own on those.
std::string pipe_line(const corpus::Case& bound, const wire::Binding& binding,
                      const session::Opening& opening, const WayByHand& way,
                      const AnswersByHand& given = {});

/// What comes first on each connection; nothing where the case is about that.
std::vector<std::string> first_messages(const corpus::Case& bound, const session::Opening& opening);

/// Whether the server was answered under ids that it has drawn by lot: they are others in each
/// session, so that nobody can answer them ahead.
bool asks_under_ids_by_lot(const std::vector<dialogue::Event>& events);

/// What the server was answered in each step. Nothing where that is for this session alone: by lot,
/// or because the server has counted what it asked there before.
std::optional<std::vector<std::string>> own_answers(const corpus::Case& bound,
                                                    const std::vector<dialogue::Event>& events);

}  // namespace jrpcheck::run
