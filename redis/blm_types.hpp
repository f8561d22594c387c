// The types of bloomery's own values: their names and encoding versions are in files, and stay.
#pragma once
#include "redis/api.hpp"

namespace bloomery::redis {

extern Type* blocked_type;   // blmFilter; null until register_blm_types, as the others
extern Type* counting_type;  // blmCount-
extern Type* windowed_type;  // blmWindow
bool register_blm_types(Context* context) noexcept;

}  // namespace bloomery::redis
