# Sourced by ./x for `./x test`: runs the steps one after another, goes on after
# a failed one, and closes with the sum of the tests as `N passed, N failed`.

passed=0
failed=0

# Tests that a test runner counted: add PASSED FAILED.
add() {
  passed=$((passed + $1))
  failed=$((failed + $2))
}

# step NAME COUNTER COMMAND...: runs COMMAND, times it, shows its output only if
# it failed. COUNTER turns that output, on its standard input, into `PASSED FAILED`.
# A failure that no test accounts for (it did not compile, say) counts as one.
step() {
  local name=$1 counter=$2 log=$logs/$1.log start=$SECONDS status=0 counts verdict=ok
  shift 2
  printf '%-10s' "$name"
  (cd "$root" && "$@") >"$log" 2>&1 </dev/null || status=$?
  read -r -a counts < <($counter <"$log")
  [ "$status" -eq 0 ] || [ "${counts[1]}" -gt 0 ] || counts[1]=1
  # A runner that reports failures and still exits with 0 has not passed.
  [ "${counts[1]}" -eq 0 ] || verdict=FAILED
  add "${counts[@]}"
  printf ' %-6s %5d s' "$verdict" $((SECONDS - start))
  [ "$counter" = no_tests ] || printf '   %d passed, %d failed' "${counts[@]}"
  printf '\n'
  if [ "$verdict" = FAILED ]; then
    tail -n 300 "$log" | sed 's/^/    /'
    return 1
  fi
}

no_tests() {
  cat >/dev/null
  echo 0 0
}

# `test result: ok. 5 passed; 1 failed; 0 ignored; ...`, once per test binary.
count_cargo() {
  awk '/^test result:/ { passed += $4; failed += $6 } END { print passed + 0, failed + 0 }'
}

# lit's summary: `  Passed             : 12 (100.00%)`.
count_lit() {
  awk -F ' *: *' '
    /^ +(Passed|Passed With Retry|Expectedly Failed) *:/ { passed += $2 }
    /^ +(Failed|Unresolved|Timed Out|Unexpectedly Passed) *:/ { failed += $2 }
    END { print passed + 0, failed + 0 }'
}

# The last line of the form of our own.
count_closing_line() {
  sed -n 's/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed$/\1 \2/p' | tail -n 1 | grep . || echo 0 0
}

cargo_tests() {
  local ignored=()
  [ -z "${PLD_LONG:-}" ] || ignored=(--include-ignored)
  # Not the examples as programs of their own: the tests run them.
  cargo test --release --workspace --no-fail-fast --tests ${filter:+"$filter"} -- \
    "${ignored[@]}" &&
    cargo test --release --workspace --doc ${filter:+"$filter"}
}

# lit_tests DIRECTORY...
lit_tests() {
  local lit
  lit=$(find_lit "$MLIR_SYS_220_PREFIX")
  PLD_TOOLS_DIR=$tools "$lit" -sv ${filter:+--filter "$filter" --allow-empty-runs} "$@"
}

# Packs every crate, and builds what it has packed.
packages() {
  local folder status=0
  # A folder of its own each time: by its name cargo keeps what it has unpacked of a version.
  folder=$(mktemp -d)
  CARGO_TARGET_DIR=$folder CARGO_PROFILE_DEV_DEBUG=0 cargo package --workspace --allow-dirty || status=$?
  rm -rf "$folder"
  return $status
}

round_trip() {
  PLD_ROUNDTRIP=1 lit_tests test/lit
}

docs() {
  RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps
}

# test_all [--long] [FILTER]
test_all() {
  filter=
  local argument
  for argument; do
    case $argument in
      --long) export PLD_LONG=1 ;;
      -*) die "test: unknown option '$argument'; known is --long" ;;
      *)
        [ -z "$filter" ] || die "test: one filter at most, but '$filter' and '$argument' are given"
        filter=$argument
        ;;
    esac
  done

  logs=$target/x-logs
  mkdir -p "$logs"
  # Generated programs that did not change are not compiled again.
  export PLD_CACHE_DIR=${PLD_CACHE_DIR-$target/pld-cache}
  setup
  if [ -z "$filter" ]; then
    step format no_tests cargo fmt --all --check -- --color never || true
    step clippy no_tests cargo clippy --release --workspace --all-targets -- -D warnings || true
  fi
  step build no_tests build || closing_line
  step cargo count_cargo cargo_tests || true
  # Together, so that no processor waits for the last test of a folder.
  step lit count_lit lit_tests test/lit test/programs test/examples || true
  step python count_pytest python_tests || true
  [ -z "${PLD_LONG:-}" ] || step round-trip count_lit round_trip || true
  if [ -z "$filter" ]; then
    step emulation count_closing_line sh lowering/hccl/tests/run.sh || true
    step doc no_tests docs || true
    [ -z "${PLD_LONG:-}" ] || step package no_tests packages || true
  fi
  closing_line
}

closing_line() {
  if [ $((passed + failed)) -eq 0 ]; then
    die "test: no test${filter:+ matches '$filter'}"
  fi
  echo "$passed passed, $failed failed"
  exit $((failed > 0))
}
