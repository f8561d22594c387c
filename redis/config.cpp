#include "redis/config.hpp"

#include <string>

#include "redis/key.hpp"

namespace bloomery::redis {

Config config;

namespace {

enum class Parsed { fine, no_such_value, out_of_range };

Parsed parse_rate(const String* value) noexcept {
  double rate = 0;
  if (api.string_to_double(value, &rate) != kOk) return Parsed::no_such_value;
  if (!(rate > 0 && rate < 1)) return Parsed::out_of_range;
  config.error_rate = rate;
  return Parsed::fine;
}

Parsed parse_size(const String* value) noexcept {
  long long size = 0;
  if (api.string_to_integer(value, &size) != kOk) return Parsed::no_such_value;
  if (size < 1 || size > static_cast<long long>(kMaxCapacity)) return Parsed::out_of_range;
  config.initial_size = static_cast<std::uint64_t>(size);
  return Parsed::fine;
}

Parsed parse_expansion(const String* value) noexcept {
  long long expansion = 0;
  if (api.string_to_integer(value, &expansion) != kOk) return Parsed::no_such_value;
  if (expansion < 0 || expansion > static_cast<long long>(kMaxExpansion)) return Parsed::out_of_range;
  config.expansion = static_cast<std::uint32_t>(expansion);
  return Parsed::fine;
}

Parsed parse_layout(const String* value) noexcept {
  const bool blocked = same_word(view(value), "blocked");
  if (!blocked && !same_word(view(value), "compatible")) return Parsed::no_such_value;
  config.blocked = blocked;
  return Parsed::fine;
}

Parsed parse_limit(const String* value) noexcept {
  long long bytes = 0;
  if (api.string_to_integer(value, &bytes) != kOk) return Parsed::no_such_value;
  if (bytes < 0) return Parsed::out_of_range;
  config.memory_limit = static_cast<std::uint64_t>(bytes);
  return Parsed::fine;
}

struct Setting {
  const char* name;
  const char* old_name;  // in the arguments of `loadmodule`; null: none
  const char* initial;
  const char* range;
  Parsed (*parse)(const String*) noexcept;
  std::string text = {};      // as it was set: CONFIG GET shows that
  String* shown = nullptr;    // lent to the server by the last CONFIG GET
};

Setting settings[] = {
    {"bf-error-rate", "ERROR_RATE", "0.01", "(0.000000, 1.000000)", parse_rate},
    {"bf-initial-size", "INITIAL_SIZE", "100", "[1, 1073741824]", parse_size},
    {"bf-expansion-factor", nullptr, "2", "[0, 32768]", parse_expansion},
    {"layout", nullptr, "compatible", "compatible, blocked", parse_layout},
    {"memory-limit", nullptr, "0", "[0, 9223372036854775807]", parse_limit},
};

// Empty: done. Else what is wrong.
std::string apply(Setting& setting, const String* value) {
  const std::string name = std::string("`") + setting.name + "`";
  switch (setting.parse(value)) {
    case Parsed::no_such_value: return "Invalid value for " + name;
    case Parsed::out_of_range: return "Value for " + name + " must be in the range " + setting.range;
    case Parsed::fine: setting.text = view(value);
  }
  return {};
}

int set(const char*, String* value, void* data, String** error) {
  const std::string wrong = apply(*static_cast<Setting*>(data), value);
  if (wrong.empty()) return kOk;
  *error = api.create_string(nullptr, wrong.data(), wrong.size());
  return kErr;
}

String* get(const char*, void* data) {
  Setting& setting = *static_cast<Setting*>(data);
  if (setting.shown) api.free_string(nullptr, setting.shown);
  setting.shown = api.create_string(nullptr, setting.text.data(), setting.text.size());
  return setting.shown;
}

Setting* find(std::string_view name) noexcept {
  for (Setting& setting : settings)
    if (same_word(name, setting.name) || (setting.old_name && same_word(name, setting.old_name))) return &setting;
  return nullptr;
}

bool refuse(Context* context, const std::string& why) noexcept {
  api.log(context, "warning", "%s", why.c_str());
  return false;
}

}  // namespace

bool load_config(Context* context, String** arguments, int count) noexcept {
  for (Setting& setting : settings)
    if (api.register_string_config(context, setting.name, setting.initial, 0, get, set, nullptr, &setting) != kOk)
      return refuse(context, std::string("the server refuses the setting ") + setting.name);
  if (api.load_configs(context) != kOk) return false;
  if (count == 1 && view(arguments[0]).empty()) return true;
  if (count % 2 != 0) return refuse(context, "module arguments come in pairs: a name and a value");
  for (int i = 0; i < count; i += 2) {
    Setting* setting = find(view(arguments[i]));
    if (!setting) return refuse(context, "unknown module argument " + std::string(view(arguments[i])));
    const std::string wrong = apply(*setting, arguments[i + 1]);
    if (!wrong.empty()) return refuse(context, wrong);
  }
  return true;
}

}  // namespace bloomery::redis
