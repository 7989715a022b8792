// What the process holds of the machine's memory.
#pragma once

namespace jrpcheck {

/// Gives back what has been freed. Left to itself, glibc keeps what each thread has ever used:
/// after a few large answers that is hundreds of MiB.
void give_back_memory();

/// From now on large blocks go back as soon as they are freed. Left to itself, glibc raises what it
/// calls large to the size of any block that was freed, up to 32 MiB.
void keep_no_large_blocks();

}  // namespace jrpcheck
