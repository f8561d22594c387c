// Names and numbers. Every name() of the library is a literal, so its characters end with NUL.
#include "capi/translate.hpp"

using namespace bloomery;

static_assert(std::string_view(BLOOMERY_VERSION) == BLOOMERY_PROJECT_VERSION,
              "include/bloomery/export.h and project() must say the same version");
static_assert(BLOOMERY_KIND_CLASSIC == static_cast<int>(Kind::classic));
static_assert(BLOOMERY_KIND_BLOCKED == static_cast<int>(Kind::blocked));
static_assert(BLOOMERY_KIND_EXACT == static_cast<int>(Kind::exact));
static_assert(BLOOMERY_KIND_COUNTING == static_cast<int>(Kind::counting));
static_assert(BLOOMERY_KIND_FUSE == static_cast<int>(Kind::fuse));
static_assert(BLOOMERY_KIND_RIBBON == static_cast<int>(Kind::ribbon));
static_assert(BLOOMERY_KIND_WINDOWED == static_cast<int>(Kind::windowed));
static_assert(BLOOMERY_HASH_XXH3 == static_cast<int>(HashId::xxh3));
static_assert(BLOOMERY_HASH_MURMUR3 == static_cast<int>(HashId::murmur3));
static_assert(BLOOMERY_HASH_SIPHASH == static_cast<int>(HashId::siphash));
static_assert(BLOOMERY_HASH_AES == static_cast<int>(HashId::aes));
static_assert(BLOOMERY_HASH_PRECOMPUTED == static_cast<int>(HashId::precomputed));

const char* bloomery_version(void) { return BLOOMERY_PROJECT_VERSION; }

const char* bloomery_status_name(bloomery_status status) {
  switch (status) {
    case BLOOMERY_OK: return "ok";
    case BLOOMERY_INVALID_ARGUMENT: return "invalid_argument";
    case BLOOMERY_NOT_SUPPORTED: return "not_supported";
    case BLOOMERY_FULL: return "full";
    case BLOOMERY_INCOMPATIBLE: return "incompatible";
    case BLOOMERY_KEY_REQUIRED: return "key_required";
    case BLOOMERY_WRONG_KEY: return "wrong_key";
    case BLOOMERY_LOCKED: return "locked";
    case BLOOMERY_NOT_A_FILTER: return "not_a_filter";
    case BLOOMERY_TOO_NEW: return "too_new";
    case BLOOMERY_CORRUPT: return "corrupt";
    case BLOOMERY_IO: return "io";
    case BLOOMERY_NO_MEMORY: return "no_memory";
    case BLOOMERY_NO_VALUE: return "no_value";
    default: return "unknown status";
  }
}

const char* bloomery_hash_name(int32_t hash_id) {
  return hash_id >= 0 && hash_id <= 255 ? name(static_cast<HashId>(hash_id)).data() : "?";
}

int32_t bloomery_hash_id_from_name(const char* name) {
  const auto id = name != nullptr ? hash_id_from_name(name) : std::nullopt;
  return id ? static_cast<int32_t>(*id) : 0;
}

const char* bloomery_kind_name(int32_t kind) {
  return kind >= 0 && kind <= 65535 ? name(static_cast<Kind>(kind)).data() : "?";
}

int32_t bloomery_kind_from_name(const char* name) {
  const auto kind = name != nullptr ? kind_from_name(name) : std::nullopt;
  return kind ? static_cast<int32_t>(*kind) : 0;
}
