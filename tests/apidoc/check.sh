#!/bin/sh
# check.sh SOURCES OUTPUT [FURTHER_INPUT]: the API reference, in OUTPUT; fails with doxygen's warnings.
set -eu
cd "$1"
mkdir -p "$2"
{ cat docs/Doxyfile; printf 'OUTPUT_DIRECTORY = %s\nINPUT += %s\n' "$2" "${3-}"; } | doxygen -
grep -q 'Queries cannot fail' "$2/html/classbloomery_1_1Filter.html"
grep -q 'bloomery_may_contain' "$2/html/bloomery_8h.html"
