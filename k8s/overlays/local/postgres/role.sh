#!/bin/sh
# At the first start of a server: the one role and database that live here, with the password of a file. The role of the
# image's administrator is for this alone.
set -eu
export ROLE_PASSWORD_FILE
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
\getenv role ROLE
\set password `cat "$ROLE_PASSWORD_FILE"`
create role :"role" login password :'password';
create database :"role" owner :"role";
revoke connect on database :"role", postgres, template1 from public;
SQL
