package main

import _ "embed"

// openAPI is the API contract, embedded from the file beside this one.
//
//go:embed openapi.yaml
var openAPI []byte
