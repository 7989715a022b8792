#!/bin/sh
# snapserver.sh TCP HTTP STREAM: three ports
set -eu
cat > data/snapserver.conf <<END
[server]
datadir = $PWD/data
[http]
bind_to_address = 127.0.0.1
port = $2
[tcp]
bind_to_address = 127.0.0.1
port = $1
[stream]
bind_to_address = 127.0.0.1
port = $3
source = pipe://$PWD/data/fifo?name=default&mode=create
[logging]
sink = null
END
exec snapserver -c data/snapserver.conf
