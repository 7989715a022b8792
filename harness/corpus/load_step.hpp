// The steps of a case: what is sent, and the outcomes that are no failure.
#pragma once

#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "corpus/member_reader.hpp"

namespace jrpcheck::corpus {

/// Reads one element of `steps`. `requirements` are the case's; the first is the default charge.
Step read_step(const json::Value& object, const std::vector<std::string>& requirements,
               Complaint& complaint);

/// What a message says that is to be sent: its bytes.
std::string read_message(const json::Value& message, Complaint& complaint);

/// How a frame is to be written, and its payload.
wire::FrameDetails read_frame(const json::Value& object, std::string& payload,
                              Complaint& complaint);

/// Where a case or an outcome applies, as "transports" or "except-transports" says; empty:
/// everywhere.
std::vector<std::string> read_transports(const MemberReader& reader);

/// Reads one element of `accept`.
Outcome read_outcome(const json::Value& object, const std::string& default_charge,
                     Complaint& complaint);

}  // namespace jrpcheck::corpus
