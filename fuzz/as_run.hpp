// What a campaign has found in the model of a run, so that every report format serves both.
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "fuzz/campaign.hpp"
#include "fuzz/finding.hpp"
#include "result/run.hpp"
#include "result/secrets.hpp"
#include "run/endpoint.hpp"

namespace jrpcheck::fuzz {

/// A case of its own for each finding, and one that passes for each other requirement that replies
/// have told something about. It never conforms: a campaign shows nothing of what it has not met.
/// `begun` is `run::begin_run` of the moment when it began, and says what interrupted it.
result::Run as_run(const Campaign& campaign, const corpus::Corpus& corpus,
                   const run::Endpoint& endpoint, result::Run begun);

/// Puts dots for these secrets into all that a person reads of the finding. What was sent stays as
/// it is: it is made here, of nothing that is secret.
void redact(Finding& finding, const std::vector<result::Secret>& secrets);

}  // namespace jrpcheck::fuzz
