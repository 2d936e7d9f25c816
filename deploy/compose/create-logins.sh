#!/bin/sh
# Run by the image of PostgreSQL when it creates the database.
set -eu
password_of() {
  rest=$(sed 's#^[^:]*://[^:]*:##' "/run/secrets/$1")
  printf %s "${rest%%@*}"
}
psql --set ON_ERROR_STOP=1 --set owner_password="$(password_of owner_url)" --set web_password="$(password_of web_url)" \
  --username postgres --file /create-logins.sql
