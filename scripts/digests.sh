#!/bin/sh
# Writes the digest of each image that the Dockerfile and the compose file name behind its tag (node:24@sha256:…), so that everybody
# builds upon the same bytes; what has one gets the newest of its tag. It asks the registries, and changes nothing where one fails.
set -eu
cd "$(dirname "$0")/.."
CRANE=${CRANE:-"go run github.com/google/go-containerregistry/cmd/crane@v0.20.6"}
FILES=${FILES:-"scripts/Dockerfile docker-compose.yml docker-compose.cluster.yml"}

# Those with a tag that are not ours: FROM image:tag, and image: image:tag.
images=$(sed -nE 's/^(FROM| +image:) +([a-z0-9./-]+:[A-Za-z0-9._-]+)(@sha256:[0-9a-f]{64})?( AS .*)?$/\2/p' $FILES | grep -v '^franchise360' | sort -u)
[ -n "$images" ] || { echo "no image in $FILES" >&2; exit 1; }

edits=$(mktemp)
trap 'rm -f "$edits"' EXIT
for image in $images; do
  if ! digest=$($CRANE digest "$image"); then
    echo "$image: its registry cannot be asked; nothing is changed" >&2
    exit 2
  fi
  echo "$digest" | grep -Eq '^sha256:[0-9a-f]{64}$' || { echo "$image: $digest is no digest" >&2; exit 1; }
  echo "$image@$digest"
  printf 's|( )%s(@sha256:[0-9a-f]{64})?( AS .*)?$|\\1%s@%s\\3|\n' "$(printf %s "$image" | sed 's/[.]/\\./g')" "$image" "$digest" >>"$edits"
done
for file in $FILES; do sed -E -i -f "$edits" "$file"; done
