//go:build !linux

package postgres

import "syscall"

// limitUnheard exists on Linux only; elsewhere the system's own limits apply.
func limitUnheard(_, _ string, _ syscall.RawConn) error { return nil }
