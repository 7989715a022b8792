// What a server has by its own account: asked before the cases that are about it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/catalogue.hpp"
#include "corpus/profile.hpp"
#include "dialogue/transcript.hpp"
#include "run/side_dialogue.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Asks for the lists of the profile, with all their pages. What the server declared is found in
/// the answers to its opening, else asked for.
std::shared_ptr<const corpus::Catalogue> ask_for_catalogue(
    const corpus::Profile& profile, const std::set<std::string>& allowed,
    const std::vector<dialogue::Event>& opening, session::Conversation& conversation,
    SideDialogue& dialogue);

/// As it is stored: JSON text by name; what was declared has an empty name.
std::map<std::string, std::string> stored_catalogue(const corpus::Catalogue& catalogue);
std::shared_ptr<const corpus::Catalogue> catalogue_from(
    const corpus::Profile& profile, const std::map<std::string, std::string>& stored,
    const std::set<std::string>& allowed);

/// Why the case is not for a server that declares this; empty where it is.
std::string lacks_what_it_is_about(const corpus::Case& one, const corpus::Catalogue& catalogue);

/// Why the requirement does not apply to it; empty where it does, or where that is not known.
std::string why_inapplicable(const corpus::Requirement& one, const corpus::Catalogue& catalogue);

}  // namespace jrpcheck::run
