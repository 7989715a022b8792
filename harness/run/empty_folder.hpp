// Which servers are given an empty folder.
#pragma once

#include <string>

#include "corpus/case.hpp"
#include "corpus/profile.hpp"
#include "dialogue/transcript.hpp"
#include "run/options.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::run {

/// Whether the last message of the opening was answered by an error that is not about its method.
bool is_opening_refused(const dialogue::Transcript& opening);
bool is_refused_for_its_params(const std::string& answer);

/// From then on each program that is started is given a folder of its own in the opening; a server
/// that all connections lead to has one. False where the protocol has no place for one, the opening
/// has no null there, or none could be made.
bool open_with_folder(Options& options, transport::Guardian& guardian);

/// What there is to say of that.
std::string note_of_folder(const Options& options);

/// Names the folder that the opening names, ours for such a server or the user's own, in what a
/// step sends.
void name_folder(const Options& options, corpus::Step& step);

/// A folder that whoever repeats something by hand can make, with the shell line that does so.
struct FolderByHand {
  std::string uri;
  std::string line;
};
FolderByHand folder_by_hand();

}  // namespace jrpcheck::run
