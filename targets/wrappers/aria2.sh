#!/bin/sh
# aria2.sh PORT [CERTIFICATE KEY]
set -eu
port=$1; shift
[ $# -eq 0 ] || set -- --rpc-secure=true --rpc-certificate="$1" --rpc-private-key="$2"
exec aria2c --no-conf --enable-rpc --rpc-listen-port="$port" --rpc-listen-all=false --dir=data --enable-dht=false \
  --enable-dht6=false --quiet "$@"
