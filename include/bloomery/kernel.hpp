// Which instruction set does the batch operations. Chosen at the first use: the best that this processor
// has, or the one that the environment variable BLOOMERY_KERNEL names. Answers and bits do not depend on it.
#pragma once
#include <string_view>
#include <vector>

#include "bloomery/export.h"
#include "bloomery/result.hpp"

namespace bloomery {

// "avx512", "avx2", "sse4", "ssse3", "neon", "wasm" or "scalar".
BLOOMERY_API std::string_view active_kernel() noexcept;

// Those that this processor can run, the fastest first; "scalar", always the last, is the specification.
BLOOMERY_API std::vector<std::string_view> available_kernels();

// Uses this one from now on, in the whole process. Errors: invalid_argument (the name is not available).
// Threads: safe at any time; batches that are under way end as they began.
BLOOMERY_API Result<void> use_kernel(std::string_view name);

// Was BLOOMERY_KERNEL followed? Errors: invalid_argument. The library then works with the best kernel;
// a program that was asked for a certain one should say so and stop.
BLOOMERY_API Result<void> check_kernel_environment();

}  // namespace bloomery
