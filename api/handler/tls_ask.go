package handler

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
)

// Hosts says for which hosts a certificate may be fetched; tenant.Service is the one that does.
type Hosts interface {
	TLSAllowed(ctx context.Context, host string) (bool, error)
}

// Every handshake with a name that the proxy does not know makes it ask, so strangers decide how often: no more than so many
// at once reach the database, and none takes longer.
const (
	asksAtOnce = 8
	askTime    = 2 * time.Second
)

// TLSAsk answers the question that a proxy with on-demand certificates asks before it fetches one: GET ?domain= is 200 for the
// product's own hosts and those of stores, 404 for all others. It belongs on the private port, because it tells which stores
// there are.
func TLSAsk(hosts Hosts, logger *slog.Logger) http.Handler {
	slots := make(chan struct{}, asksAtOnce)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		domain := r.URL.Query().Get("domain")
		if domain == "" || len(domain) > 253 || !cleanText(domain) {
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
