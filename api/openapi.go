package main

import _ "embed"

// openAPI is the API's contract, as it stands beside this file.
//
//go:embed openapi.yaml
var openAPI []byte
