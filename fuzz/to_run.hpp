// What a campaign or the properties have found, in the model of a run, so that every report format
// serves them too.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "dialogue/exchange.hpp"
#include "fuzz/campaign.hpp"
#include "judge/judgement.hpp"
#include "result/run.hpp"

namespace jrpcheck::fuzz {

/// What was sent at one go, and what it brought back.
struct Asked {
  std::vector<dialogue::Message> messages;
  std::vector<std::size_t> cuts = {};  ///< the bytes left in pieces, cut at these offsets
  std::map<std::size_t, wire::FrameDetails> frames = {};  ///< of those that are fragments
  dialogue::Exchange exchange = {};
};

/// Adds a finding, and behind what the case holds already the exchanges that show it.
/// `finding.step` counts from the first of these.
void add_finding(judge::Finding finding, const std::vector<Asked>& record,
                 const std::string& standard_error, result::CaseResult& one);

/// The steps that send all this again.
corpus::Case case_sending(const std::vector<Asked>& record);

/// The run of these cases, with its verdicts. It is answerable for the requirements that its cases
/// name and for no other, and never conforms: it shows nothing of what it has not met. `begun` is
/// `run::begin_run` of the moment when it began, and says what interrupted it.
result::Run to_run(result::Run begun, std::vector<result::CaseResult> cases,
                   const corpus::Corpus& corpus);

/// The run of a campaign: a case of its own for each finding, and one that passes for each other
/// requirement that replies have told something about.
result::Run to_run(result::Run begun, const Campaign& campaign, const corpus::Corpus& corpus);

}  // namespace jrpcheck::fuzz
