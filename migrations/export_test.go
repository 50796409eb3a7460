package migrations

// ApplyFiles is Apply with other files.
var ApplyFiles = applyFiles //nolint:gochecknoglobals // for tests
