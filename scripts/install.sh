# Sourced by ./x for `./x install PREFIX`: the C interface where other builds find it.

# install_c PREFIX LIBRARY RLIB: headers, libraries and pkg-config files below PREFIX, of
# libpld_c.so and the crate of libpld_mlir_c.a.
install_c() {
  local prefix=$1 library=$2 rlib=$3 version file
  version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)
  mkdir -p "$prefix/include/pld-c" "$prefix/lib/pkgconfig" || return
  prefix=$(cd "$prefix" && pwd)
  cp "$root"/capi/include/pld-c/*.h "$prefix/include/pld-c/" || return
  # The loader looks for the name with the major version, the linker for the one without.
  strip --strip-unneeded -o "$prefix/lib/libpld_c.so.$version" "$library" || return
  ln -sf "libpld_c.so.$version" "$prefix/lib/libpld_c.so.${version%%.*}" || return
  ln -sf "libpld_c.so.${version%%.*}" "$prefix/lib/libpld_c.so" || return
  mlir_archive "$prefix/lib/libpld_mlir_c.a" "$rlib" || return
  for file in pld pld-mlir; do
    sed -e "s|@PREFIX@|$prefix|" -e "s|@LLVM@|$MLIR_SYS_220_PREFIX|" -e "s|@VERSION@|$version|" \
      "$root/capi/pkgconfig/$file.pc.in" >"$prefix/lib/pkgconfig/$file.pc" || return
  done
}

# mlir_archive OUT RLIB: a static library of the crate and all of Rust that it uses, without the
# objects of MLIR that come with its binding: the frontend has an MLIR of its own.
mlir_archive() {
  local out=$1 rlib=$2 ar=$MLIR_SYS_220_PREFIX/bin/llvm-ar folder work names
  folder=$(dirname "$rlib")
  work=$(mktemp -d) || return
  (
    trap 'rm -rf "$work"' EXIT
    echo 'extern crate pld_mlir_c;' | rustc --edition 2024 --crate-name pld_mlir --crate-type staticlib \
      --extern "pld_mlir_c=$rlib" -L "dependency=$folder/deps" -L "dependency=$folder" \
      -o "$work/all.a" - || exit
    # Several objects may have one name, of which `d` deletes the first.
    while names=$("$ar" t "$work/all.a" | grep '\.cpp\.o$' | sort -u); do
      xargs "$ar" dS "$work/all.a" <<<"$names" || exit
    done
    "$ar" s "$work/all.a" && mv "$work/all.a" "$out"
  )
}
