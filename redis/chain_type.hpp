// The type of RedisBloom's values: its name and encoding version are in files, and stay.
#pragma once
#include "redis/api.hpp"

namespace bloomery::redis {

extern Type* chain_type;  // null until register_chain_type
bool register_chain_type(Context* context) noexcept;

}  // namespace bloomery::redis
