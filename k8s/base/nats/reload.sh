#!/bin/sh
# Tells the server to read its configuration again when a file of it has changed: passwords are rotated without a restart.
set -u
checksum() { cat "$CONFIGURATION"/*.conf "$CONFIGURATION"/credentials/* "$CONFIGURATION"/tls/* 2>/dev/null | sha256sum; }
known=$(checksum)
echo "watching $CONFIGURATION"
while sleep "${EVERY:-10}"; do
  now=$(checksum)
  [ "$now" = "$known" ] && continue
  nats-server --signal "reload=$PID_FILE" && known=$now && echo "the configuration was read again"
done
