#!/bin/sh
# A dump of one database into FOLDER, as pg_restore takes it; it counts only after it was read back whole. The newest KEEP stay.
set -eu
umask 077
export PGPASSWORD
PGPASSWORD=$(cat "$PGPASSWORD_FILE")

file="$FOLDER/$PGDATABASE-$(date -u +%Y%m%dT%H%M%SZ).dump"
# What a killed job left behind.
rm -f "$FOLDER"/*.partial

pg_dump --format=custom --no-password --file="$file.partial"
tables=$(pg_restore --list "$file.partial" | grep -c ' TABLE DATA ') || true
if [ "$tables" -eq 0 ]; then
  echo "the dump of $PGDATABASE has no tables" >&2
  exit 1
fi
# The list is at the beginning of the file: reading all of it finds one that was cut off.
pg_restore --file=/dev/null "$file.partial"
sync
mv "$file.partial" "$file"
echo "$file: $tables tables, $(wc -c <"$file") bytes"

ls -1 "$FOLDER/$PGDATABASE"-*.dump | sort -r | tail -n "+$((KEEP + 1))" | while read -r old; do
  rm -- "$old"
  echo "$old: removed, $KEEP newer ones are there"
done
