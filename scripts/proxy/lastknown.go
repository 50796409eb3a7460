package main

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"go.uber.org/zap"
)

const (
	// lookUpTimeout bounds one look-up. A resolver that restarts answers the next one.
	lookUpTimeout = 5 * time.Second
	// keepFor is how long addresses are used after the last successful look-up. A resolver restarts within minutes; later, the
	// network may have given the address to another program.
	keepFor = 15 * time.Minute
)

// lastKnown is Caddy's upstream source `a`, asked in the background. A request never waits for the resolver: it gets the
// addresses of the last successful look-up. While the resolver is silent, fails or knows no address, they stay in use for keepFor.
type lastKnown struct {
	reverseproxy.AUpstreams

	answer atomic.Pointer[answer]
	logger *zap.Logger
}

// answer is the resolver's response at a time.
type answer struct {
	dials []string
	at    time.Time
}

// CaddyModule describes the module.
func (*lastKnown) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.reverse_proxy.upstreams.last_known", New: func() caddy.Module { return new(lastKnown) }}
}

// Provision starts the look-ups, which end with the configuration.
func (l *lastKnown) Provision(ctx caddy.Context) error {
	if err := l.AUpstreams.Provision(ctx); err != nil {
		return err
	}
	l.logger = ctx.Logger()
	every := time.Duration(l.Refresh)
	l.Refresh = 1 // The embedded source must not cache: each call is a look-up.
	go func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			l.lookUp(ctx)
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}()
	return nil
}

// lookUp asks the resolver and keeps its answer if it names an address.
func (l *lastKnown) lookUp(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, caddy.ReplacerCtxKey, caddy.NewReplacer()), lookUpTimeout)
	defer cancel()
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
	if err != nil {
		return // impossible: method and address are constants
	}
	upstreams, err := l.AUpstreams.GetUpstreams(question)
	last := l.answer.Load()
	if err != nil || len(upstreams) == 0 {
		var age time.Duration
		if last != nil {
			age = time.Since(last.at)
		}
		l.logger.Warn("the resolver names no address of the api", zap.Error(err), zap.Duration("last_answer_age", age))
		return
	}
	now := &answer{at: time.Now()}
	for _, u := range upstreams {
		now.dials = append(now.dials, u.Dial)
	}
	l.answer.Store(now)
}

// GetUpstreams returns the last known addresses, or none if there are none yet or they are too old.
func (l *lastKnown) GetUpstreams(*http.Request) ([]*reverseproxy.Upstream, error) {
	last := l.answer.Load()
	if last == nil || time.Since(last.at) > keepFor {
		return nil, nil
	}
	upstreams := make([]*reverseproxy.Upstream, 0, len(last.dials))
	for _, dial := range last.dials {
		upstreams = append(upstreams, &reverseproxy.Upstream{Dial: dial})
	}
	return upstreams, nil
}

var (
	_ caddy.Provisioner           = (*lastKnown)(nil)
	_ caddyfile.Unmarshaler       = (*lastKnown)(nil)
	_ reverseproxy.UpstreamSource = (*lastKnown)(nil)
)
