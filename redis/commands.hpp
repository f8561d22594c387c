// The commands. Each is what the server calls; none lets an exception out.
#pragma once
#include <new>
#include <span>

#include "redis/api.hpp"

namespace bloomery::redis {

using Arguments = std::span<String*>;  // [0] is the command, [1] the key

int reserve(Context* context, Arguments arguments);
int add(Context* context, Arguments arguments);
int madd(Context* context, Arguments arguments);
int insert(Context* context, Arguments arguments);

int exists(Context* context, Arguments arguments);
int mexists(Context* context, Arguments arguments);
int info(Context* context, Arguments arguments);
int card(Context* context, Arguments arguments);
int debug(Context* context, Arguments arguments);

int merge(Context* context, Arguments arguments);
int reset(Context* context, Arguments arguments);
int fold(Context* context, Arguments arguments);
int turn(Context* context, Arguments arguments);

// CBF
int count_reserve(Context* context, Arguments arguments);
int count_add(Context* context, Arguments arguments);
int count_madd(Context* context, Arguments arguments);
int count_exists(Context* context, Arguments arguments);
int count_mexists(Context* context, Arguments arguments);
int count_delete(Context* context, Arguments arguments);
int count_count(Context* context, Arguments arguments);
int count_info(Context* context, Arguments arguments);

int scandump(Context* context, Arguments arguments);
int loadchunk(Context* context, Arguments arguments);

// False: the server refused one of them.
bool register_commands(Context* context) noexcept;

}  // namespace bloomery::redis
