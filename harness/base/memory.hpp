// What the process holds of the machine's memory.
#pragma once

namespace jrpcheck {

/// Gives back what has been freed. Left to itself, glibc keeps what each thread has ever used:
/// after a few large answers that is hundreds of MiB.
void give_back_memory();

}  // namespace jrpcheck
