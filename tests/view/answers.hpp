// The same questions, asked by code compiled for one instruction set each.
#pragma once
#include <span>

#include "bloomery/layout.hpp"

void answers_portable(const bloomery::Shape&, bloomery::ConstBytes, std::span<const bloomery::Hash>, bool* out);
void answers_avx2(const bloomery::Shape&, bloomery::ConstBytes, std::span<const bloomery::Hash>, bool* out);
void answers_avx512(const bloomery::Shape&, bloomery::ConstBytes, std::span<const bloomery::Hash>, bool* out);
