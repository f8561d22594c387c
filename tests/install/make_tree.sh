#!/bin/sh
# make_tree.sh SOURCES WORK LIBDIR: builds a release in WORK/build as the packages are built, installs it, and moves
# the tree to WORK/prefix.
set -eu
cmake -G Ninja -S "$1" -B "$2/build" -D CMAKE_BUILD_TYPE=Release -D BLOOMERY_TESTS=OFF \
  -D BLOOMERY_SHARED_TOOL=ON -D BLOOMERY_PYTHON=ON -D BLOOMERY_REDIS=ON -D CMAKE_INSTALL_PREFIX=/usr -D CMAKE_INSTALL_LIBDIR="$3"
cmake --build "$2/build"
rm -rf "$2/staged" "$2/prefix"
DESTDIR="$2/staged" cmake --install "$2/build" --strip
mv "$2/staged/usr" "$2/prefix"
