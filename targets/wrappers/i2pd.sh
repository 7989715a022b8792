#!/bin/sh
# i2pd.sh PORT: its I2PControl; one transport must run, on loopback, and it knows no router to reach
set -eu
mkdir -p data/i2pd
printf 'nat = false\n[reseed]\nthreshold = 0\nurls =\n' > data/i2pd.conf
: > data/tunnels.conf
exec i2pd --datadir="$PWD/data/i2pd" --conf="$PWD/data/i2pd.conf" --tunconf="$PWD/data/tunnels.conf" --loglevel=none \
  --i2pcontrol.enabled=true --i2pcontrol.address=127.0.0.1 --i2pcontrol.port="$1" --host=127.0.0.1 --address4=127.0.0.1 \
  --ntcp2.published=false --ssu2.enabled=false --http.enabled=false --httpproxy.enabled=false --socksproxy.enabled=false \
  --sam.enabled=false
