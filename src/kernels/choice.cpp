#include "kernels/choice.hpp"

#include <atomic>
#include <cstdlib>
#include <string>

#include "bloomery/kernel.hpp"
#include "hash/aes.hpp"

namespace bloomery {
namespace kernels {
namespace {

const BlockedKernel& best() noexcept {
  const auto vectors = vector_kernels();
  return vectors.empty() ? scalar_kernel() : *vectors.front();
}

const BlockedKernel* find(std::string_view name) noexcept {
  for (const BlockedKernel* kernel : vector_kernels())
    if (kernel->name == name) return kernel;
  return scalar_kernel().name == name ? &scalar_kernel() : nullptr;
}

// The environment, read once.
struct Wish {
  const char* name = std::getenv("BLOOMERY_KERNEL");
  bool given() const noexcept { return name != nullptr && *name != '\0'; }
  const BlockedKernel* kernel = given() ? find(name) : &best();
};

const Wish& wish() noexcept {
  static const Wish wish;
  return wish;
}

std::atomic<const BlockedKernel*>& chosen() noexcept {
  static std::atomic<const BlockedKernel*> chosen{wish().kernel != nullptr ? wish().kernel : &best()};
  return chosen;
}

Error unavailable(std::string_view who, std::string_view name) {
  std::string message(who);
  message.append(": kernel '").append(name).append("' is not available; choose one of");
  for (std::string_view available : available_kernels()) message.append(" ").append(available);
  return {Errc::invalid_argument, message};
}

}  // namespace

const BlockedKernel& active_kernel() noexcept { return *chosen().load(std::memory_order_relaxed); }

}  // namespace kernels

std::string_view active_kernel() noexcept { return kernels::active_kernel().name; }

std::vector<std::string_view> available_kernels() {
  std::vector<std::string_view> names;
  for (const auto* kernel : kernels::vector_kernels()) names.push_back(kernel->name);
  names.push_back(kernels::scalar_kernel().name);
  return names;
}

Result<void> use_kernel(std::string_view name) {
  const auto* kernel = kernels::find(name);
  if (kernel == nullptr) return kernels::unavailable("use_kernel", name);
  kernels::chosen().store(kernel, std::memory_order_relaxed);
  use_aes_kernel(name);
  return {};
}

Result<void> check_kernel_environment() {
  if (kernels::wish().kernel == nullptr) return kernels::unavailable("BLOOMERY_KERNEL", kernels::wish().name);
  return {};
}

}  // namespace bloomery
