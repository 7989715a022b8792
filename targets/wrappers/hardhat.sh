#!/bin/sh
# hardhat.sh PORT
set -eu
echo 'module.exports = { solidity: "0.8.20", networks: { hardhat: {} } };' > hardhat.config.js
HARDHAT_DISABLE_TELEMETRY_PROMPT=true exec node node_modules/hardhat/internal/cli/bootstrap.js node --hostname 127.0.0.1 --port "$1"
