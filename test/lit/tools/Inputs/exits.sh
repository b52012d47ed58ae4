#!/bin/sh
# exits.sh CODE COMMAND...: passes if COMMAND exits with CODE; its output is passed on.
expected=$1
shift
"$@"
code=$?
[ "$code" -eq "$expected" ] || {
  echo "exits.sh: exit code is $code, expected $expected" >&2
  exit 1
}
