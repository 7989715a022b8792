// The form of all that a client has sent, whatever the trials were about.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "client/door.hpp"
#include "corpus/corpus.hpp"
#include "dialogue/traffic.hpp"
#include "result/run.hpp"
#include "traffic/account.hpp"

namespace jrpcheck::client {

/// Judges the traffic of trials, by the rules that need no cause, and keeps none of it.
class WireForm {
 public:
  WireForm(const corpus::Corpus& corpus, const Door& door);

  void add(const std::vector<dialogue::TrafficEvent>& trial);
  /// The case traffic/client.
  result::CaseResult judged() const;

 private:
  traffic::Account account_;
  std::size_t connections_ = 0;
};

/// "; what it sends breaks cl-req-version: ..."; empty where it breaks nothing.
std::string broken_form(const corpus::Corpus& corpus, const Door& door,
                        const std::vector<dialogue::TrafficEvent>& trial);

/// How what the client has sent begins, made visible, whether it can be read or not; empty: it has
/// sent nothing.
std::string first_words(const std::vector<dialogue::TrafficEvent>& trial);

/// How many answers of the client's to no call are let go: something that was odd before them may
/// be what they are to.
std::size_t answers_let_go(const corpus::Corpus& corpus, const Door& door,
                           const std::vector<dialogue::TrafficEvent>& trial);

}  // namespace jrpcheck::client
