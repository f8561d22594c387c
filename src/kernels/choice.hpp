// Which instruction set does the batches: the choice behind bloomery/kernel.hpp.
#pragma once
#include "kernels/blocked_kernel.hpp"

namespace bloomery::kernels {

const BlockedKernel& active_kernel() noexcept;

}  // namespace bloomery::kernels
