package main

import _ "embed"

// openAPI is the API contract, embedded from openapi.yaml.
//
//go:embed openapi.yaml
var openAPI []byte
