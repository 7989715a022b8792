#!/bin/sh
# electrum.sh PORT
set -eu
wallet() { /usr/bin/electrum -D data/electrum --offline "$@"; }
wallet setconfig rpchost 127.0.0.1 >/dev/null
wallet setconfig rpcport "$1" >/dev/null
wallet setconfig rpcuser jrpcheck >/dev/null
wallet setconfig rpcpassword jrpcheck >/dev/null
exec /usr/bin/electrum -D data/electrum --offline daemon
