// Manners: the ways in which a client is tried with scenarios.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/bent_connection.hpp"
#include "client/trial.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::client {

/// What came of one scenario.
struct Attempt {
  result::CaseResult result;
  std::vector<dialogue::TrafficEvent> traffic = {};
  bool was_cut_off = false;  ///< the run ended before it did, so that it tells nothing
};

/// Takes scenarios that are to be tried alone.
using LeaveAlone = std::function<void(const corpus::Scenario& scenario)>;

/// What came of several that were tried at once.
struct Settled {
  std::map<std::string, result::CaseResult> passed = {};  ///< by id
  std::vector<std::vector<dialogue::TrafficEvent>> traffic = {};
  std::string hindrance = {};  ///< why none could be; empty: nothing hinders
};

/// What is seen of a client that was given one odd answer, whatever it was to make of that.
struct Look {
  bool was_played = false;   ///< it came to that answer
  bool was_cut_off = false;  ///< the run ended before it did, so that it tells nothing
  bool has_died = false;
  bool waits = false;  ///< nothing moved any more, and it had to be ended
  bool ends = false;   ///< its call has ended where it had to
  std::string ending = {};
  std::string printed = {};
  std::string standard_error = {};
  std::vector<std::string> told = {};
  std::vector<dialogue::TrafficEvent> traffic = {};
};

/// What came of a client that was given good answers alone.
struct ControlTrial {
  std::string hindrance = {};  ///< why nothing can be judged; empty: it takes them
  std::vector<dialogue::TrafficEvent> traffic = {};
};

class Manner {
 public:
  virtual ~Manner() = default;
  /// Comes first.
  virtual ControlTrial try_control(Premises& premises) = 0;
  /// Whether it can be one of several that are tried at once.
  virtual bool can_be_shared(const corpus::Scenario&) const { return false; }
  /// Why a scenario cannot be tried so; empty: it can.
  virtual std::string hindrance(const corpus::Scenario&) const { return {}; }
  /// Tries several at once, which may save time: those that have passed so, and what went over the
  /// wire. Each of the others is handed to `leave`: it is to be attempted, as if this had not been
  /// asked.
  virtual Settled settle(const std::vector<const corpus::Scenario*>& scenarios, Premises&,
                         const LeaveAlone& leave) {
    for (const auto* each : scenarios) leave(*each);
    return {};
  }
  /// Safe to use from several threads.
  virtual Attempt attempt(const corpus::Scenario& scenario, Premises& premises) = 0;
  /// One more try, which is not judged; `patience`: so many times as long as usual.
  virtual Result<Look> look(const corpus::Scenario& scenario, int patience, Premises& premises) = 0;
  /// What a user should know, in sentences.
  virtual std::vector<std::string> notes() const { return {}; }
};

/// jrpcheck is the server, and the client calls echo [n].
std::unique_ptr<Manner> make_scripted_manner(const corpus::Corpus& corpus,
                                             const ClientOptions& options,
                                             transport::Guardian& guardian);

/// A real server answers, and one of its answers is bent.
struct BendOptions {
  Upstream upstream;
  std::string shown;                  ///< the server, for people and for a shell
  std::string path = "/";             ///< of the client's URL, where there is one
  std::size_t answer = 0;             ///< which, from 1; 0: the last but one
  std::vector<std::string> repeated;  ///< words of the command line that say all this
};

std::unique_ptr<Manner> make_bent_manner(const corpus::Corpus& corpus, const ClientOptions& options,
                                         const BendOptions& bend, transport::Guardian& guardian);

}  // namespace jrpcheck::client
