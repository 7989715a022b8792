// Observer: judges what the journal tells, prints what is wrong as it happens, and records it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "result/redact.hpp"
#include "result/secrets.hpp"
#include "traffic/account.hpp"
#include "traffic/endpoints.hpp"
#include "traffic/tap.hpp"
#include "watch/journal.hpp"

namespace jrpcheck::watch {

struct ObserverOptions {
  traffic::Origin origin;
  bool is_http = false;                    ///< HTTP, and WebSocket behind it
  std::string path = "/";                  ///< over HTTP: where JSON-RPC is served
  const wire::Binding* framing = nullptr;  ///< of a stream; null: it is found out
  bool on_sockets = false;
  std::vector<result::Secret> secrets;
  std::string tool_version;                        ///< that the run tells
  std::function<void(const std::string&)> print;   ///< a line for people
  std::function<void(const std::string&)> record;  ///< a line of the capture; null: none is kept
};

class Observer {
 public:
  Observer(const corpus::Corpus& corpus, ObserverOptions options);

  void take(const JournalEntry& entry);
  /// Whoever told it has ended without saying so.
  void cut_off();
  void end();

  /// What passed, and whether all of it was seen.
  std::string summary() const;
  result::RedactedRun run() const;

 private:
  traffic::Tap& tap_of(std::uint32_t connection);
  void lose(const JournalEntry& entry);
  void tell(const traffic::HttpHead& head);
  void record(const std::string& line);
  void record_framing(const wire::Binding& binding, std::size_t connection);
  void print(const std::vector<judge::TrafficFinding>& findings) const;
  void tell(const dialogue::TrafficEvent& event);
  std::string hidden(const std::string& text) const;
  /// What a recording holds of it.
  dialogue::TrafficEvent hidden(dialogue::TrafficEvent event) const;
  traffic::HttpHead hidden(const traffic::HttpHead& head);
  std::string alias_of(const std::string& session_id);
  std::string clock_text(microseconds at) const;

  struct Tapped {
    std::unique_ptr<traffic::Tap> tap;  // null: its beginning is lost
    bool is_lost = false;
    bool is_unread = false;  // of something that has passed, as what is compressed
  };
  void note_unread(const dialogue::TrafficEvent& event);

  ObserverOptions options_;
  traffic::Account account_;
  traffic::Endpoints endpoints_;
  std::map<std::uint32_t, Tapped> taps_;
  std::map<std::string, std::string> aliases_;  // of session ids, in a recording
  std::size_t sessions_named_ = 0;
  std::size_t lost_ = 0;    // connections of which something is missing
  std::size_t unread_ = 0;  // connections of which something was seen and cannot be read
  bool is_cut_off_ = false;
  bool is_recording_ = false;
  bool is_mixed_ = false;  // not all connections are in the framing that the recording began with
  std::chrono::system_clock::time_point begin_ = std::chrono::system_clock::now();
};

}  // namespace jrpcheck::watch
