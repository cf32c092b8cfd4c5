#!/bin/bash
# The part of the official image's documented behaviour that docker-compose.yml uses: POSTGRES_PASSWORD(_FILE), POSTGRES_USER,
# POSTGRES_DB, POSTGRES_INITDB_ARGS, PGDATA, /docker-entrypoint-initdb.d, arguments of the server, any user.
set -euo pipefail
[ "${1:0:1}" = '-' ] && set -- postgres "$@"
[ "$1" = postgres ] || exec "$@"
user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}
if ! getent passwd "$(id -u)" > /dev/null; then
  # initdb wants a name for its user.
  echo "postgres:x:$(id -u):$(id -g):PostgreSQL:$PGDATA:/bin/false" > /tmp/passwd
  echo "postgres:x:$(id -g):" > /tmp/group
  export NSS_WRAPPER_PASSWD=/tmp/passwd NSS_WRAPPER_GROUP=/tmp/group LD_PRELOAD=libnss_wrapper.so
fi
mkdir -p "$PGDATA" && chmod 0700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  password=${POSTGRES_PASSWORD:-}
  [ -n "${POSTGRES_PASSWORD_FILE:-}" ] && password=$(< "$POSTGRES_PASSWORD_FILE")
  [ -n "$password" ] || { echo 'POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE must be set' >&2; exit 1; }
  initdb --username="$user" --pwfile=<(printf '%s\n' "$password") ${POSTGRES_INITDB_ARGS:-}
  printf '\nhost all all all scram-sha-256\n' >> "$PGDATA/pg_hba.conf"
  # Without TCP while it is made: who asks over TCP finds it when it is done.
  pg_ctl --wait --options="-c listen_addresses=''" start
  [ "$database" = postgres ] || PGPASSWORD=$password psql --username="$user" --dbname=postgres -c "CREATE DATABASE \"$database\""
  for script in /docker-entrypoint-initdb.d/*.sql; do
    [ -e "$script" ] && PGPASSWORD=$password psql -v ON_ERROR_STOP=1 --username="$user" --dbname="$database" --file="$script"
  done
  pg_ctl --wait --mode=fast stop
fi
unset LD_PRELOAD
exec "$@" -c listen_addresses='*'
