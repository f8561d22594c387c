#!/bin/sh
# run_make.sh LIBDIR WORK: the foreign project of make/ against the library installed in LIBDIR, in WORK.
set -eu
here=$(dirname "$(readlink -f "$0")")
rm -rf "$2"
mkdir -p "$2"
export PKG_CONFIG_PATH="$1/pkgconfig"
make -C "$2" -f "$here/make/Makefile" SOURCES="$here" check
