#!/bin/sh
# mopidy.sh PORT
set -eu
mkdir -p data/media
cat > data/mopidy.conf <<END
[core]
cache_dir = $PWD/data/cache
config_dir = $PWD/data
data_dir = $PWD/data/data
[http]
hostname = 127.0.0.1
port = $1
zeroconf =
[audio]
output = fakesink
mixer = none
[file]
media_dirs = $PWD/data/media
[m3u]
playlists_dir = $PWD/data/media
[softwaremixer]
enabled = false
END
exec /usr/bin/mopidy --config data/mopidy.conf
