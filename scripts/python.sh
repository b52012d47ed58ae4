# Sourced by ./x for what is written in Python: the environment it runs in.

# Leaves $python, an interpreter that finds the package and what it needs.
python_ready() {
  up_to_date || build >&2
  local venv=$target/python missing prefix=
  python=$venv/bin/python
  # What the frontend needs and its tests; remade when the list changes.
  local wanted="numpy pytest ruff"
  if [ "$(cat "$venv/.ready" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$venv"
    # Debian has the maker of environments in a package of its own.
    if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
      missing=(python3-venv)
      install_missing >&2
    fi
    python3 -m venv "$venv" || die "cannot make a Python environment in $venv"
    "$python" -m pip install --quiet --disable-pip-version-check $wanted >&2 ||
      die "cannot install $wanted from PyPI into $venv"
    echo "$wanted" >"$venv/.ready"
  fi
  ln -sf "$tools/libpld_python.so" "$root/python/pld/_native.abi3.so"
  export PYTHONPATH=$root/python${PYTHONPATH:+:$PYTHONPATH}
}

# Replaces this shell by the script $1.
python_script() {
  python_ready
  exec "$python" "$@"
}

# The blocks of the pages that PLD_PAGES names are run too; without it a line says they were not.
python_tests() {
  python_ready
  local sources=("$root/python" "$root/examples/distributed")
  export RUFF_NO_CACHE=true
  [ -n "$filter" ] || {
    "$python" -m ruff format --check --quiet --config "$root/python/pyproject.toml" "${sources[@]}" &&
      "$python" -m ruff check --quiet --config "$root/python/pyproject.toml" "${sources[@]}"
  } || return
  "$python" -m pytest -q -p no:cacheprovider ${filter:+-k "$filter"} "$root/python/tests" ||
    # No test of that name.
    [ $? -eq 5 ]
}

# pytest's last line: `3 failed, 266 passed in 3.96s`.
count_pytest() {
  awk '/ in [0-9.]+s/ {
    for (i = 1; i < NF; i++) {
      if ($(i + 1) ~ /^passed/) passed = $i
      if ($(i + 1) ~ /^(failed|error)/) failed += $i
    }
  } END { print passed + 0, failed + 0 }'
}
