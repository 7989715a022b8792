// Scenario: what one test of a property is made of. Generated, shrunk, and the same for one seed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jrpcheck::fuzz {
struct Capabilities;
}

namespace jrpcheck::properties {

/// A method of the server that can be called at any time.
struct KnownMethod {
  std::string name;
  std::string role;  ///< what is known of it: a role of cases/README.md
};

/// The words that are the server's own. Besides its methods only such are called that no server
/// has, so that nothing is set off by accident.
struct Words {
  std::vector<KnownMethod> methods = {};
  std::vector<std::string> probes = {};  ///< messages by which the methods were looked for
};

/// The probes, and the methods in roles that change nothing and take no time.
Words words_from(const fuzz::Capabilities& capabilities);

/// A text that stands in a call of a method that echoes, to be made longer.
inline constexpr std::string_view kEchoedText = "jrpcheckText";

/// What a scenario holds.
enum class Material {
  probe,        ///< one of the messages by which methods were looked for, in their order
  length,       ///< a call that is echoed; `edits`: how many bytes, and of the answer or not
  call,         ///< one valid call with any id
  plain_call,   ///< one whose content no parser may refuse or alter
  call_and_id,  ///< a plain call; `others`: another id
  call_with_named_params,  ///< a plain call, mostly with params by name
  call_and_notification,   ///< a plain call; `others`: a Notification
  invalid,                 ///< one of each kind of invalid Request
  broken,                  ///< JSON that is cut off
  batch,                   ///< elements of every kind
  calls,                   ///< plain calls with ids of their own
  calls_and_notification,  ///< calls; `others`: a Notification
  calls_and_invalid,       ///< calls; `others`: what is no Request
  call_and_anything,       ///< a call of a method without state; `others`: anything
  conversation,            ///< messages of every kind
};

struct Scenario {
  std::vector<std::string> messages = {};
  std::vector<std::string> others = {};
  /// Numbers from which a property makes the places where it varies: fewer, and smaller, are
  /// simpler.
  std::vector<std::size_t> edits = {};
};

/// Those of a material of which there are so many and no others; empty where they are generated.
std::vector<Scenario> all_scenarios(Material material, const Words& words);

}  // namespace jrpcheck::properties
