#!/usr/bin/env bash
# Runs a command with a PostgreSQL and a Redis of its own, on free loopback ports,
# with their files in a temporary directory that goes with them:
#
#   internal/store/storetest/servers.sh go test ./...
#
# Sets PORTCULLIS_TEST_POSTGRES and PORTCULLIS_TEST_REDIS. Installs nothing: it
# needs initdb, postgres and redis-server (Debian: postgresql, redis-server).
set -euo pipefail

if [ $# -eq 0 ]; then
  echo "usage: $0 command [argument...]" >&2
  exit 2
fi

# Debian keeps the server's programs out of PATH.
if ! command -v initdb >/dev/null; then
  for bin in /usr/lib/postgresql/*/bin; do
    if [ -x "$bin/initdb" ]; then PATH="$PATH:$bin"; fi
  done
fi
for program in initdb postgres redis-server; do
  if ! command -v "$program" >/dev/null; then
    echo "$0: $program is not installed" >&2
    exit 1
  fi
done

dir=$(mktemp -d "${TMPDIR:-/tmp}/portcullis-servers.XXXXXX")
chmod 755 "$dir"
postgres_pid='' redis_pid=''

stop() {
  local status=$?
  trap - EXIT INT TERM
  # SIGINT is PostgreSQL's fast shutdown; the wait below is bounded by SIGKILL.
  [ -z "$postgres_pid" ] || kill -INT "$postgres_pid" 2>/dev/null || true
  [ -z "$redis_pid" ] || kill "$redis_pid" 2>/dev/null || true
  for _ in $(seq 100); do
    if ! alive "$postgres_pid" && ! alive "$redis_pid"; then break; fi
    sleep 0.1
  done
  for pid in $postgres_pid $redis_pid; do
    kill -KILL "$pid" 2>/dev/null || true
  done
  wait 2>/dev/null || true
  rm -rf "$dir"
  exit "$status"
}
alive() { [ -n "$1" ] && kill -0 "$1" 2>/dev/null; }
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# PostgreSQL refuses to run as root; setpriv replaces itself, so that the pid we
# keep is the server's.
as=()
mkdir "$dir/pg"
if [ "$(id -u)" -eq 0 ]; then
  chown postgres "$dir/pg"
  as=(setpriv --reuid postgres --regid postgres --clear-groups env HOME="$dir/pg")
fi

in_use() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
free_port() {
  local port
  for _ in $(seq 100); do
    port=$((20000 + RANDOM % 12000)) # below the ports that the kernel hands out
    if ! in_use "$port"; then
      echo "$port"
      return
    fi
  done
  echo "$0: no free port" >&2
  return 1
}

cd "$dir/pg"
"${as[@]}" initdb -D "$dir/pg/data" -U portcullis -A trust -E UTF8 --locale=C -N >"$dir/initdb.log" 2>&1 || {
  cat "$dir/initdb.log" >&2
  exit 1
}
cd "$OLDPWD"

start_postgres() {
  postgres_port=$(free_port)
  "${as[@]}" postgres -D "$dir/pg/data" -p "$postgres_port" -h 127.0.0.1 -k "$dir/pg" \
    -c max_connections=200 -c shared_buffers=64MB >"$dir/postgres.log" 2>&1 &
  postgres_pid=$!
  for _ in $(seq 300); do
    if ! alive "$postgres_pid"; then return 1; fi
    if [ -S "$dir/pg/.s.PGSQL.$postgres_port" ] && grep -q 'ready to accept connections' "$dir/postgres.log"; then return 0; fi
    sleep 0.1
  done
  return 1
}

start_redis() {
  redis_port=$(free_port)
  redis-server --bind 127.0.0.1 --port "$redis_port" --save '' --appendonly no --dir "$dir" >"$dir/redis.log" 2>&1 &
  redis_pid=$!
  for _ in $(seq 100); do
    if ! alive "$redis_pid"; then return 1; fi
    if in_use "$redis_port"; then return 0; fi
    sleep 0.1
  done
  return 1
}

# A port may be taken between the look and the start, so each gets three tries.
start() {
  for _ in 1 2 3; do
    if "start_$1"; then return 0; fi
  done
  cat "$dir/$1.log" >&2
  echo "$0: $1 did not start" >&2
  return 1
}
start postgres
start redis

export PORTCULLIS_TEST_POSTGRES="postgres://portcullis@127.0.0.1:$postgres_port/postgres?sslmode=disable"
export PORTCULLIS_TEST_REDIS="redis://127.0.0.1:$redis_port"
"$@"
