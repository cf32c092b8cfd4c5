#!/bin/sh
# Run by `npm ci` when the Node of node_modules does not start. Since version 25 Node is linked to libatomic.so.1, which a
# machine has with a compiler, but a minimal Debian or Ubuntu has not.
set -u

node_starts() { node --eval 0 > /dev/null 2>&1; }

if node --eval 0 2>&1 | grep -q libatomic && command -v apt-get > /dev/null && [ "$(id -u)" = 0 ]; then
  echo 'Node 26 needs libatomic.so.1, which this machine lacks: installing the package libatomic1.'
  export DEBIAN_FRONTEND=noninteractive
  apt-get install -y --no-install-recommends libatomic1 > /dev/null 2>&1 ||
    { apt-get update && apt-get install -y --no-install-recommends libatomic1; } > /dev/null || true
fi

node_starts && exit 0
cat >&2 << TEXT
The Node 26 of node_modules does not start on this machine:
  $(node --eval 0 2>&1 | head -n 1)
On Debian and Ubuntu: sudo apt-get install -y libatomic1
On Fedora and its like: sudo dnf install -y libatomic
Then repeat the command. Systems without glibc (Alpine) are not supported.
TEXT
exit 1
