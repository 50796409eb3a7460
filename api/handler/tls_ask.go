package handler

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Hosts reports which hosts may get a certificate; tenant.Service implements it.
type Hosts interface {
	TLSAllowed(ctx context.Context, host string) (bool, error)
}

// Every TLS handshake with a name unknown to the proxy triggers a query, so strangers control the rate: this limits how
// many reach the database at once, and how long each takes.
const (
	asksAtOnce = 8
	askTime    = 2 * time.Second
)

// TLSAsk handles the query that a proxy with on-demand certificates sends before obtaining one: GET ?domain= is 200 for the
// product's own hosts and those of stores, 404 for all others. It belongs on the private port, because it reveals which
// stores exist.
func TLSAsk(hosts Hosts, logger *slog.Logger) http.Handler {
	slots := make(chan struct{}, asksAtOnce)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		domain := r.URL.Query().Get("domain")
		if domain == "" || len(domain) > 253 || !text.Clean(domain) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), askTime)
		defer cancel()
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
		case <-ctx.Done():
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		allowed, err := hosts.TLSAllowed(ctx, domain)
		switch {
		case err != nil && errs.KindOf(err) != errs.KindNotFound:
			logger.WarnContext(ctx, "certificate not judged", log.Error(err))
			w.WriteHeader(http.StatusServiceUnavailable)
		case !allowed:
			w.WriteHeader(http.StatusNotFound)
		default:
			w.WriteHeader(http.StatusOK)
		}
	})
}
