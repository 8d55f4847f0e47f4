#!/bin/sh
# Logs of PostgreSQL with and without synchronous_commit, in turn. Run it as a user other than root, in an empty folder.
set -e
B=/usr/lib/postgresql/15/bin
D=$PWD
cat > script.sql <<'S'
\set aid random(1, 100000)
UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = :aid;
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
S
rm -rf data; $B/initdb -D data -U postgres >/dev/null
cat >> data/postgresql.conf <<C
listen_addresses = '127.0.0.1'
port = 15432
unix_socket_directories = '$D'
logging_collector = on
log_destination = 'csvlog,stderr'
log_directory = 'log'
log_filename = 'run.log'
log_file_mode = 0644
log_timezone = 'UTC'
C
$B/pg_ctl -D data -w -s start; pgbench -h $D -p 15432 -U postgres -i -s 1 -q postgres >/dev/null 2>&1; $B/pg_ctl -D data -w -s stop
for n in 1 2 3 4; do for s in on off; do
  mv data/log data/log-$s-$n-before 2>/dev/null || true
  $B/pg_ctl -D data -w -s -o "-c synchronous_commit=$s -c log_min_duration_statement=0" start
  pgbench -h $D -p 15432 -U postgres -n -f script.sql -c 2 -t 75 -R 60 postgres > out-$s-$n 2>&1
  $B/pg_ctl -D data -w -s stop
  mkdir -p $s-$n; cp data/log/run.csv data/log/run.log $s-$n/
done; done
