# Shared by the scripts: the Debian packages, and how to install the missing ones.
# Source it; $root is the top folder of the project.
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")

packages_to_build=(cmake g++ ninja-build pkgconf libhwy-dev libxxhash-dev libcli11-dev libfmt-dev nlohmann-json3-dev
                   zlib1g-dev libzstd-dev libcpp-httplib-dev libhiredis-dev)
packages_for_page=(cmake ninja-build clang lld wasi-libc libc++-dev-wasm32 libclang-rt-dev-wasm32 libxxhash-dev)
packages_for_python=(pybind11-dev python3-dev python3-numpy)
packages_to_test=("${packages_to_build[@]}" gnuplot-nox libgtest-dev libsodium-dev python3 mawk xxd make dpkg-dev file gzip zstd
                  python3-jsonschema lintian man-db mandoc zsh fish mypy doxygen "${packages_for_python[@]}"
                  "${packages_for_page[@]}" chromium fonts-dejavu-core fonts-wqy-microhei redis-server redis-tools python3-redis)
packages_to_redis=("${packages_to_build[@]}" redis-server redis-tools)
packages_to_bench=("${packages_to_build[@]}" libgtest-dev libbloom-dev libleveldb-dev)

if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi

say() { printf 'bloomery: %s\n' "$*" >&2; }
die() { say "$@"; exit 2; }

# quietly LOG COMMAND...: what the command says goes to LOG, and is shown only if it fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null && return
  tail -n 40 "$log" >&2
  die "failed: $* (the whole log: $log)"
}

# need PACKAGE[:ARCHITECTURE]...: installs those that are missing. Costs one dpkg-query when none is.
need() {
  command -v dpkg-query >/dev/null || return 0  # not Debian: cmake will name what it does not find
  local installed missing=() package
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n${db:Status-Status} ${Package}:${Architecture}\n' "$@" \
    2>/dev/null || true)
  for package; do
    [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] || missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return
  local as_root=(env DEBIAN_FRONTEND=noninteractive)
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null ||
      die "packages are missing, and this is neither root nor is there sudo; as root: apt-get install ${missing[*]}"
    sudo -v || die "sudo refused; as root: apt-get install ${missing[*]}"
    as_root=(sudo "${as_root[@]}")
  fi
  say "installing ${missing[*]}"
  quietly "$root/build/install.log" "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300 -q update
  quietly "$root/build/install.log" "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300 -q install -y \
    --no-install-recommends "${missing[@]}"
}

# Node.js with npm, whoever packaged it: an npm that is there may come with its own nodejs.
need_node() {
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then need nodejs npm; fi
}

# npm_ci FOLDER LOG: what FOLDER/package-lock.json names goes to FOLDER/node_modules, if it is not there yet.
npm_ci() {
  local installed=$1/node_modules/.installed
  if cmp -s "$1/package-lock.json" "$installed"; then return; fi
  quietly "$2" npm --prefix "$1" ci --ignore-scripts --no-audit --no-fund
  cp "$1/package-lock.json" "$installed"
}

# One builder at a time in this checkout: others wait. The lock ends with the (sub)shell that took it.
lock_build() { mkdir -p "$root/build" && exec 9>"$root/build/.lock" && flock 9; }

# build PRESET [COMMAND PREFIX...]
build() {
  local preset=$1
  shift
  quietly "$root/build/$preset.log" "$@" cmake -S "$root" --preset "$preset"
  quietly "$root/build/$preset.log" "$@" cmake --build "$root/build/$preset"
}
