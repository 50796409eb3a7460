#!/bin/sh
# Fails where a tool that others use would stumble over api/openapi.yaml: redocly's linter, or oapi-codegen, whose Go client has
# to compile. The client is thrown away.
set -eu
cd "$(dirname "$0")/.."

REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
  web/node_modules/.bin/redocly lint --config api/redocly.yaml api/openapi.yaml

client=$(mktemp -d)
trap 'rm -rf "$client"' EXIT
cp scripts/contractclient/* "$client"
go -C scripts/contractclient tool oapi-codegen -generate types,client -package contractclient -o "$client/client.go" "$PWD/api/openapi.yaml"
# Whether it compiles does not depend on inlining, which a fifth of the time would go into.
go -C "$client" build '-gcflags=-dwarf=false -l' ./...
