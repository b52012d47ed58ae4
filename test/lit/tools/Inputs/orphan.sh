#!/bin/sh
# orphan.sh COMMAND...: starts COMMAND, waits for it to start a program of the cache folder,
# kills it, and passes if that program ends as well.
"$@" &
parent=$!
child=
for second in $(seq 60); do
  for stat in /proc/[0-9]*/stat; do
    # Process, name, state, parent.
    set -- $(cat "$stat" 2>/dev/null)
    [ "$4" = "$parent" ] || continue
    case $(readlink "/proc/$1/exe") in
    "$PLD_CACHE_DIR"/*) child=$1 ;;
    esac
  done
  [ -n "$child" ] && break
  sleep 1
done
[ -n "$child" ] || {
  echo "orphan.sh: no program was started" >&2
  kill "$parent"
  exit 1
}
# It sets itself up.
sleep 1
kill -9 "$parent"
for second in $(seq 10); do
  # An ended process may wait for somebody to ask for its state.
  set -- $(cat "/proc/$child/stat" 2>/dev/null)
  case ${3:-gone} in
  gone | Z | X) exit 0 ;;
  esac
  sleep 1
done
echo "orphan.sh: process $child goes on" >&2
kill -9 "$child"
exit 1
