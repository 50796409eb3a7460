#!/bin/sh
# Fails when a generated file (*.gen.*, migrations/schema.sql, pkg/README.md, the gateways' settings, the copies of colours) is not what `make generate` writes now. Works without git, and leaves the
# tree as it was.
set -eu
cd "$(dirname "$0")/.."

list() { find . \( -name node_modules -o -name .git -o -name .data -o -name dist \) -prune -o \
  -type f \( -name '*.gen.*' -o -path ./migrations/schema.sql -o -path ./pkg/README.md \
  -o -path ./docker-compose.yml -o -path ./scripts/kubernetes/settings.yaml -o -path ./scripts/kubernetes/secrets.example.yaml \
  -o -path ./api/outage/pages.html -o -path ./api/tenantsite/page/store.css -o -path ./api/docs/docs.css -o -path ./pkg/message/email.html \
  -o -path './scripts/*sandbox/page/style.html' -o -path ./scripts/smsinbox/inbox.html -o -path ./web/public/favicon.svg -o -path ./web/index.html \) -print | sort; }

before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
list | while read -r file; do
  mkdir -p "$before/$(dirname "$file")"
  cp -p "$file" "$before/$file"
done

make --no-print-directory generate

stale=0
for file in $(list); do
  if ! cmp -s "$before/$file" "$file"; then
    echo "stale: $file (run make generate)" >&2
    stale=1
    if [ -f "$before/$file" ]; then cp -p "$before/$file" "$file"; else rm "$file"; fi
  fi
done
exit $stale
