// Dialogue script: what the server of a protocol on top says in one trial, and what it hears. It
// knows no transport.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "corpus/client_dialogue.hpp"
#include "judge/client_rules.hpp"

namespace jrpcheck::client {

/// What was heard in one run of the client.
struct DialogueNotes {
  std::vector<std::string> methods;            ///< of the client, in order
  std::size_t after_opening = 0;               ///< of them those since initialize was answered
  bool was_opened = false;                     ///< initialize was answered
  std::string capabilities;                    ///< that the client has declared, in JSON
  bool was_said = false;                       ///< the server's own messages have gone out
  bool has_had_time = false;                   ///< to answer them: a second, if it needed that
  std::map<std::string, std::string> answers;  ///< to them, by id
  std::vector<std::string> strays;             ///< Responses to nothing that was asked
  std::vector<std::string> methods_since;      ///< since they were said
  bool was_sent_away = false;                  ///< by 404
  bool has_begun_anew = false;                 ///< by another initialize since then
  judge::Judgement by_rules;
};

/// Safe to use from several connections at once.
class DialogueScript {
 public:
  DialogueScript(const corpus::Dialogues& all, const corpus::Dialogue& one,
                 const std::string& family, const corpus::Ledger& ledger);

  struct Turn {
    std::optional<std::string> answer = {};  ///< to a request
    bool is_opening = false;                 ///< it is to initialize
    bool was_read = false;
  };
  /// A message of the client; the fields of its request, over HTTP.
  Turn hear(const std::string& text, const wire::HttpFields* fields = nullptr);
  void hear_unframed(const std::string& bytes, const std::string& note);
  /// What the server says by itself: once, and when the client is ready.
  std::vector<std::string> say();
  /// A message goes out.
  void tell(const std::string& text);
  /// Whether nothing is waited for that the client owes.
  bool is_settled() const;
  void give_time();

  /// Over HTTP: the id of a session that begins, and whether a request of that one is sent away.
  std::string begin_session();
  bool is_sent_away(const std::string& session);

  const corpus::Dialogue& dialogue() const { return one_; }
  DialogueNotes notes();

 private:
  void hear_response(const json::Value& message, const std::string& text);
  std::string answer_to(const json::Value& message, const std::string& method) const;

  const corpus::Dialogues& all_;
  const corpus::Dialogue& one_;
  mutable std::mutex mutex_;  // guards what follows
  judge::ClientRules rules_;
  DialogueNotes notes_;
  bool is_ready_ = false;
  std::size_t sessions_ = 0;
  std::string session_;  // that is open
};

}  // namespace jrpcheck::client
