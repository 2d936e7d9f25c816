#!/bin/sh
# Creates the passwords of the database in ./secrets, once. The folder is private; the files are readable for the users inside of the containers.
# The folder metrics is for the result of the audit, which runs as a user that this machine does not have.
set -eu
cd "$(dirname "$0")"
umask 022
mkdir -m 700 secrets
mkdir -m 1777 -p metrics
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
random >secrets/postgres_password
printf 'postgres://kontor_owner:%s@postgres:5432/kontor' "$(random)" >secrets/owner_url
printf 'postgres://kontor_web:%s@postgres:5432/kontor' "$(random)" >secrets/web_url
