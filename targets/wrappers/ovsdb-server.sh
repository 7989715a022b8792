#!/bin/sh
# ovsdb-server.sh REMOTE [OPTION...]
set -eu
PATH=$PATH:/usr/sbin
case $1 in punix:*) remote=punix:$PWD/${1#punix:} ;; *) remote=$1 ;; esac
shift
rm -f data/conf.db data/.conf.db.~lock~
export OVS_RUNDIR="$PWD/data" OVS_LOGDIR="$PWD/data" OVS_DBDIR="$PWD/data"
ovsdb-tool create data/conf.db /usr/share/openvswitch/vswitch.ovsschema
exec ovsdb-server data/conf.db --remote="$remote" --unixctl="$PWD/data/ctl" --log-file=/dev/null -vconsole:off "$@"
