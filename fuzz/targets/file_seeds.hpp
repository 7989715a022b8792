// Seeds of the targets that read files of people: one of each kind and version.
#pragma once

#include "fuzz/targets/seed_writer.hpp"

namespace jrpcheck::fuzz {

void add_file_seeds(SeedWriter& seeds);

}  // namespace jrpcheck::fuzz
