// Package log makes the structured logger that every part gets injected.
package log

import (
	"io"
	"log/slog"
	"net/netip"
)

// New returns a JSON logger that writes to w and names the process in every line; times are UTC, and the texts of
// failures are without secrets.
func New(w io.Writer, process string, level slog.Level) *slog.Logger {
	h := slog.NewJSONHandler(w, &slog.HandlerOptions{
		Level: level,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Time(slog.TimeKey, a.Value.Time().UTC())
			}
			return maskCause(a)
		},
	})
	return slog.New(h).With(slog.String("process", process))
}

// Error is the attribute under which a failure is logged.
func Error(err error) slog.Attr { return slog.String("error", err.Error()) }

// Network names where an address belongs, the /24 of IPv4 and the /48 of IPv6: the whole is personal data.
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
