// The ways in which the client can be told to be unlike itself: faults and legal variants.
#pragma once

#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/breaks.hpp"
#include "reference-impl/client/client_hooks.hpp"

namespace jrpcheck::reference {

/// Where a mutant of the client shows.
enum ClientDoors : unsigned {
  kOverHttp = 1U,
  kOverTcp = 2U,
  kOverWs = 4U,
  kOverStdio = 8U,
  kOverStreams = kOverTcp | kOverWs | kOverStdio,
  kOverAll = kOverHttp | kOverStreams,
  kOverBoth = kOverHttp | kOverStdio,  ///< which is all that a protocol on top is spoken over
};

struct ClientMutant {
  std::string name;
  Breaks breaks;
  unsigned doors = 0;
  std::string about;  ///< one sentence
  /// Empty: the client of a protocol on top knows it by its name.
  std::function<void(ClientHooks& hooks)> change = {};
};

std::span<const ClientMutant> client_faults_of_form();
std::span<const ClientMutant> client_faults_of_frames();
std::span<const ClientMutant> client_faults_of_notifying();
std::span<const ClientMutant> client_faults_of_reading();
std::span<const ClientMutant> client_faults_of_results();
std::span<const ClientMutant> client_faults_of_survival();
std::span<const ClientMutant> client_variants();
/// Beside those that are listed: some show in many calls alone, which no scenario makes.
std::span<const ClientMutant> client_faults_of_state();

/// All faults that are listed.
std::vector<ClientMutant> client_faults();
/// Null where there is none of that name.
const ClientMutant* find_client_mutant(std::span<const ClientMutant> mutants,
                                       std::string_view name);

/// One line with the fields of the list of the server's.
void write_line(std::ostream& out, const ClientMutant& mutant);
void write_list_of_client(std::ostream& out);

}  // namespace jrpcheck::reference
