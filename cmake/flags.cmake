# What every target here is compiled with; users of the library inherit none of it.
add_library(bloomery_flags INTERFACE)
target_compile_features(bloomery_flags INTERFACE cxx_std_20)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")  # for every x86-64 or arm64: no -march
# dev and the sanitizers keep their assertions, and are built in about half the time of -O2 -g.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")

target_compile_options(bloomery_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                       -Wnon-virtual-dtor -Woverloaded-virtual)
if(BLOOMERY_DEV)
  target_compile_options(bloomery_flags INTERFACE -Werror)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(BLOOMERY_SANITIZE)
  add_compile_options(-fsanitize=${BLOOMERY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BLOOMERY_SANITIZE})
endif()
