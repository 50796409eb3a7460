// Package log creates the structured logger injected into every component.
package log

import (
	"io"
	"log/slog"
	"net/netip"
)

// New returns a JSON logger that writes to w and includes the process name in every line; times are UTC, and secrets in
// error texts are masked. Lines logged within a trace include its trace_id. If w is a Buffer, warnings and errors are
// flushed at once.
func New(w io.Writer, process string, level slog.Level) *slog.Logger {
	buffer, _ := w.(*Buffer)
	h := handler{Handler: slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}), buffer: buffer}
	return slog.New(traced{h}).With(slog.String("process", process))
}

// Error returns the attribute for a failure.
func Error(err error) slog.Attr { return slog.String("error", err.Error()) }

// Network returns an address's network, the /24 of IPv4 or the /48 of IPv6: the full address is personal data.
func Network(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return "unknown"
	}
	a = a.Unmap().WithZone("")
	bits := 48
	if a.Is4() {
		bits = 24
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return "unknown"
	}
	return p.String()
}
