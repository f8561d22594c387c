#!/bin/bash
# packages.sh SOURCES WORK: packs what make_tree.sh built in WORK/build, installs the packages, uses them, removes them.
# They go under a scratch root in WORK, by dpkg but beside the system. As root with BLOOMERY_PACKAGE_TESTS=1 they
# are installed in the system itself, which is left as it was found; refused if it has one of them already.
set -euo pipefail
sources=$1
work=$2/packages
names=(bloomery-redis python3-bloomery bloomery libbloomery-dev libbloomery1)
command -v dpkg-deb >/dev/null || exit 77  # not a Debian system
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() { echo "packages.sh: $*" >&2; exit 1; }

if [[ ${BLOOMERY_PACKAGE_TESTS:-0} == 1 ]]; then
  [[ $EUID -eq 0 ]] || fail "BLOOMERY_PACKAGE_TESTS=1 needs root"
  for name in "${names[@]}"; do
    if dpkg-query -W "$name" >/dev/null 2>&1; then fail "$name is installed: remove it first"; fi
  done
  root=
  dpkg=(dpkg)
else
  root=$work/root
  mkdir -p "$root"/var/lib/dpkg/{info,updates}
  touch "$root/var/lib/dpkg/status"
  # The scratch root has nothing that the packages depend on; their code runs against the system's libraries.
  dpkg=(dpkg --root="$root" --force-not-root --force-depends --force-script-chrootless --log=/dev/null)
fi

rm -f "$2"/build/*.deb
(cd "$2/build" && cpack)
debs=("$2"/build/*.deb)
[[ ${#debs[@]} -eq 5 ]] || fail "expected five packages, not: ${debs[*]}"
if command -v lintian >/dev/null; then lintian --allow-root --fail-on error "${debs[@]}"; fi

trap '"${dpkg[@]}" --purge "${names[@]}" >/dev/null 2>&1 || true' EXIT
"${dpkg[@]}" --install "${debs[@]}"

libdir=$root$(find "$root/usr/lib" -name libbloomery.so.1 -printf '%h\n' -quit | sed "s|^$root||")
if [[ -n $root ]]; then
  export LD_LIBRARY_PATH=$libdir PKG_CONFIG_PATH=$libdir/pkgconfig
fi
bloomery=$root/usr/bin/bloomery
"$bloomery" --version
[[ $(printf 'a\nb\na\n' | "$bloomery" dedup -q) == $'a\nb' ]] || fail "dedup does not drop repeats"
# (/usr/lib and /lib are one folder.)
ldd "$bloomery" | grep "libbloomery.so.1 => ${libdir/#\/usr\//\/}" >/dev/null ||
  fail "the tool does not use the packaged library"

examples=$root/usr/share/doc/libbloomery-dev/examples
read -ra flags <<<"$(pkg-config --cflags --libs bloomery)"
gcc -std=c11 "$examples/article.c" -o article_c "${flags[@]}" -lm
g++ -std=c++20 "$examples/article.cpp" -o article_cpp "${flags[@]}"
for program in article_c article_cpp; do
  ./$program | cmp - "$sources/examples/expected/article.txt" || fail "$program prints something else"
done

PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -c '
import bloomery, numpy
seen = bloomery.Filter.build(numpy.arange(1000, dtype=numpy.uint64))
assert seen.contains(range(1000)).all() and "stranger" not in seen'

# The module answers in a server, if there is one.
module=$root/usr/lib/redis/modules/bloomery.so
[[ -s $module && -s $root/usr/share/doc/bloomery-redis/redis.md ]] || fail "bloomery-redis lacks a file"
if command -v redis-server >/dev/null; then
  redis-server --port 0 --unixsocket "$work/socket" --dir "$work" --save "" --loadmodule "$module" >redis.log &
  server=$!
  for _ in {1..100}; do [[ $(redis-cli -s "$work/socket" PING 2>/dev/null) == PONG ]] && break || sleep 0.1; done
  answer=$(redis-cli -s "$work/socket" BF.MADD k a b a | xargs || true)
  kill $server && wait $server || true
  [[ $answer == "1 1 0" ]] || fail "the module answers: $answer"
fi

# Every verb of the overview has a man page, and completes. (tests/generated looks into them.)
mapfile -t verbs < <("$bloomery" -h | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -v bloomery)
[[ ${#verbs[@]} -ge 8 ]] || fail "the overview lists only: ${verbs[*]}"
for verb in "${verbs[@]}"; do
  [[ -s $root/usr/share/man/man1/bloomery-$verb.1.gz ]] || fail "no man page of $verb"
  grep -q "$verb" "$root"/usr/share/{bash-completion/completions/bloomery,zsh/vendor-completions/_bloomery} ||
    fail "no completion of $verb"
done

"${dpkg[@]}" --purge "${names[@]}"
if [[ -n $root ]]; then
  left=$(find "$root/usr" -name '*bloomery*' 2>/dev/null || true)
  [[ -z $left ]] || fail "left behind: $left"
fi
for name in "${names[@]}"; do
  if "${dpkg[@]}" -s "$name" >/dev/null 2>&1; then fail "$name is still installed"; fi
done
echo "the packages install, work and go without a trace"
