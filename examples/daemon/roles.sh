#!/bin/sh
# Makes the database and its two roles, once, when PostgreSQL starts with an empty folder.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=owner="$OWNER_PASSWORD" --set=daemon="$DAEMON_PASSWORD" \
  --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
create role sentinel_owner login createrole password :'owner';
create role sentinel_app nologin;
create role sentinel_daemon login password :'daemon' in role sentinel_app;
create database sentinel owner sentinel_owner;
SQL
