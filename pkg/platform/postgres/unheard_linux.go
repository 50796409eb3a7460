package postgres

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// limitUnheard breaks a connection when sent data is not acknowledged in time; keep-alives cover idle connections only.
func limitUnheard(_, _ string, c syscall.RawConn) error {
	var failure error
	err := c.Control(func(fd uintptr) {
		failure = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(unheard.Milliseconds()))
	})
	if err != nil {
		return fmt.Errorf("limit what is unheard: %w", err)
	}
	if failure != nil {
		return fmt.Errorf("limit what is unheard: %w", failure)
	}
	return nil
}
