#!/bin/sh
# At the first start of a server: the one role and database that live here, with the password of a file, and with READER a
# role that only reads it. The role of the image's administrator is for this alone.
set -eu
export ROLE_PASSWORD_FILE
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
\getenv role ROLE
\set password `cat "$ROLE_PASSWORD_FILE"`
create role :"role" login password :'password';
create database :"role" owner :"role";
revoke connect on database :"role", postgres, template1 from public;
SQL
[ -n "${READER:-}" ] || exit 0
export READER_PASSWORD_FILE
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$ROLE" <<'SQL'
\getenv role ROLE
\getenv reader READER
\set password `cat "$READER_PASSWORD_FILE"`
create role :"reader" login password :'password';
alter role :"reader" set default_transaction_read_only = on;
grant connect on database :"role" to :"reader";
alter default privileges for role :"role" grant usage on schemas to :"reader";
alter default privileges for role :"role" grant select on tables to :"reader";
SQL
