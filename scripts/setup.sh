# Sourced by ./x: finds what a build needs, and installs what is missing.
# Exports MLIR_SYS_220_PREFIX, TABLEGEN_220_PREFIX and LIBCLANG_PATH, which
# build scripts read; .cargo/config.toml holds their values for plain cargo.

llvm_major=22
debian_prefix=/usr/lib/llvm-$llvm_major

# Prints the prefix of an LLVM installation of our version, or nothing.
find_llvm() {
  local prefix
  for prefix in "${PLD_LLVM_PREFIX:-}" "${MLIR_SYS_220_PREFIX:-}" \
    "$(llvm-config-$llvm_major --prefix 2>/dev/null)" $debian_prefix; do
    case $("$prefix/bin/llvm-config" --version 2>/dev/null) in
      $llvm_major.*)
        echo "$prefix"
        return
        ;;
    esac
    # What the user names is taken or refused, never passed over.
    [ -z "$prefix" ] || [ "$prefix" != "${PLD_LLVM_PREFIX:-}" ] ||
      die "PLD_LLVM_PREFIX=$prefix: no LLVM $llvm_major there (bin/llvm-config is missing or of another version)"
  done
}

links() {
  echo 'int main() {}' | c++ -x c++ - "$@" -o /dev/null 2>/dev/null
}

# Prints the Debian packages that hold what is missing under LLVM prefix $1.
# Probes files, since LLVM need not come from packages.
missing_packages() {
  local prefix=$1
  command -v c++ >/dev/null || echo g++
  [ -x "$prefix/bin/llvm-config" ] || echo llvm-$llvm_major-dev
  [ -e "$prefix/include/mlir-c/IR.h" ] || echo libmlir-$llvm_major-dev
  [ -x "$prefix/bin/mlir-tblgen" ] || echo mlir-$llvm_major-tools
  [ -x "$prefix/bin/FileCheck" ] && [ -n "$(find_lit "$prefix")" ] || echo llvm-$llvm_major-tools
  links_polly "$prefix" && [ ! -e "$prefix/lib/libPolly.a" ] && echo libpolly-$llvm_major-dev
  # bindgen, in melior's build: the library, and clang's own headers.
  [ -n "$(libclang_dir "$prefix")" ] || echo libclang1-$llvm_major
  [ -e "$prefix/lib/clang/$llvm_major/include/stddef.h" ] || echo libclang-common-$llvm_major-dev
  # What LLVM's static libraries link.
  links -lz || echo zlib1g-dev
  links -lzstd || echo libzstd-dev
  links -lxml2 || echo libxml2-dev
  links -lz3 || echo libz3-dev
  # What builds against an installed library ask, and the tests of it.
  command -v pkg-config >/dev/null || echo pkg-config
  # lit needs it to end a test that hangs.
  $(python_of_lit "$prefix") -c 'import psutil' 2>/dev/null || echo python3-psutil
}

find_lit() {
  local lit
  for lit in "$1/bin/lit" "$1/build/utils/lit/lit.py" "$(command -v lit-$llvm_major lit | head -n 1)"; do
    if [ -e "$lit" ]; then
      echo "$lit"
      return
    fi
  done
}

# Debian's LLVM counts Polly among its static libraries; one's own may not.
links_polly() {
  [ ! -x "$1/bin/llvm-config" ] || [[ $("$1/bin/llvm-config" --link-static --libnames) == *Polly* ]]
}

# Prints the command that the first line of lit names.
python_of_lit() {
  local lit
  lit=$(find_lit "$1")
  sed -n '1s/^#! *//p' "${lit:-/dev/null}" | grep . || echo /usr/bin/python3
}

libclang_dir() {
  ! compgen -G "$1/lib/libclang*.so*" >/dev/null || echo "$1/lib"
}

# Sets as_root to what must stand before a command to run it as root.
become_root() {
  as_root=()
  [ "$(id -u)" -ne 0 ] || return 0
  if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=(sudo)
    return
  fi
  die "these packages are missing, and this user may not install them; run as root:" \
    "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
}

# apt ARGS: apt-get without questions; what it says goes to $log.
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" >"$log" 2>&1
}

# Installs the packages $missing; $prefix is where LLVM was found, if it was.
install_missing() {
  # Packages do not mend an installation of one's own.
  if [[ -n $prefix && $prefix != "$debian_prefix" && ${missing[*]} == *-$llvm_major* ]]; then
    die "LLVM at $prefix lacks what these Debian packages hold: ${missing[*]}"
  fi
  if ! command -v apt-get >/dev/null; then
    die "these are missing; install what this system calls the following Debian packages:" \
      "  ${missing[*]}" \
      "or name an installation of LLVM and MLIR $llvm_major with PLD_LLVM_PREFIX"
  fi
  become_root
  local log install=(install --no-install-recommends "${missing[@]}")
  log=$(mktemp)
  echo "setup: installing ${missing[*]}"
  # A list of packages that is absent or too old fails the first attempt.
  if ! apt "${install[@]}"; then
    echo "setup: updating the list of packages"
    apt update || die "apt-get update failed, see $log:" "$(tail -n 5 "$log")"
    echo "setup: installing again"
    apt "${install[@]}" || die "apt-get install failed, see $log:" "$(tail -n 5 "$log")" \
      "Debian 12 and 13 with their updates have LLVM $llvm_major; elsewhere see https://apt.llvm.org"
  fi
  rm -f "$log"
}

check_rust() {
  # rustup's default place, for a shell started before it was installed.
  command -v cargo >/dev/null || [ ! -x "$HOME/.cargo/bin/cargo" ] || PATH=$HOME/.cargo/bin:$PATH
  local wanted found
  wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml")
  if ! command -v cargo >/dev/null; then
    die "cargo is missing; install Rust $wanted or newer from https://rustup.rs:" \
      "  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y"
  fi
  found=$(rustc --version | cut -d ' ' -f 2)
  [ "$(printf '%s\n' "$wanted" "$found" | sort -V | head -n 1)" = "$wanted" ] ||
    die "rustc is $found, but $wanted or newer is needed; 'rustup update stable' gets it"
}

# setup [--verbose]: leaves everything installed and exported, or ends the script.
setup() {
  local prefix missing
  check_rust
  prefix=$(find_llvm)
  mapfile -t missing < <(missing_packages "${prefix:-$debian_prefix}")
  if [ ${#missing[@]} -gt 0 ]; then
    install_missing
    prefix=$(find_llvm)
    mapfile -t missing < <(missing_packages "${prefix:-$debian_prefix}")
    [ ${#missing[@]} -eq 0 ] ||
      die "LLVM at ${prefix:-$debian_prefix} still lacks what these packages have: ${missing[*]}"
  fi
  export MLIR_SYS_220_PREFIX=$prefix TABLEGEN_220_PREFIX=$prefix
  LIBCLANG_PATH=${LIBCLANG_PATH:-$(libclang_dir "$prefix")}
  export LIBCLANG_PATH
  if [ "${1:-}" = --verbose ]; then
    echo "setup: $(rustc --version | cut -d ' ' -f 1,2)"
    echo "setup: LLVM and MLIR $("$prefix/bin/llvm-config" --version) in $prefix"
    echo "setup: libclang in $LIBCLANG_PATH"
    echo "setup: lit is $(find_lit "$prefix")"
  fi
}
