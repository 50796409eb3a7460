//go:build !linux

package postgres

import "syscall"

// limitUnheard is Linux's only; elsewhere the machine's own limits hold.
func limitUnheard(_, _ string, _ syscall.RawConn) error { return nil }
