// The members of a profile that say what a protocol on top of JSON-RPC asks for.
#pragma once

#include "corpus/member_reader.hpp"
#include "corpus/profile.hpp"

namespace jrpcheck::corpus {

/// Those that a version may say otherwise.
void read_law(const MemberReader& reader, Complaint& complaint, Profile& profile);

/// How the version is found out.
void read_detection(const MemberReader& reader, Complaint& complaint, Profile& profile);

}  // namespace jrpcheck::corpus
