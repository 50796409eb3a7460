// Package dns looks up custom domains. It only resolves: it never connects to an address it receives.
package dns

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

// timeout limits one query, including retries and aliases.
const timeout = 5 * time.Second

// Resolver queries the machine's name servers, or a given one.
type Resolver struct {
	resolver *net.Resolver
	server   string // host:port, empty for the machine's own
	metrics  *metrics.Metrics
}

// Measured enables timing of the queries.
func (r *Resolver) Measured(m *metrics.Metrics) { r.metrics = m }

// timed records how long a query took.
func (r *Resolver) timed(ask func() ([]string, error)) ([]string, error) {
	began := time.Now() //nolint:forbidigo // measures a call's duration, not business time
	found, err := answer(ask())
	if r.metrics != nil {
		outcome := "ok"
		if err != nil {
			outcome = "unreachable"
		}
		r.metrics.Provider("dns", outcome, time.Since(began))
	}
	return found, err
}

// New returns a resolver; server is host:port of a name server, empty for the machine's own.
func New(server string) *Resolver {
	r := &net.Resolver{PreferGo: true}
	if server != "" {
		r.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{Timeout: timeout}).DialContext(ctx, network, server)
		}
	}
	return &Resolver{resolver: r, server: server}
}

// TXT returns the name's TXT records, each with its parts joined; empty without records, or if the name does not exist.
func (r *Resolver) TXT(ctx context.Context, name string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return r.timed(func() ([]string, error) { return r.resolver.LookupTXT(ctx, absolute(name)) })
}

// Addresses returns the host's IPv4 and IPv6 addresses, following aliases; empty without addresses, or if the host does not exist.
func (r *Resolver) Addresses(ctx context.Context, host string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return r.timed(func() ([]string, error) { return r.addresses(ctx, absolute(host)) })
}

// addresses looks up each kind separately and concurrently. For a joint lookup the standard library reports no addresses if one kind is
// empty, even if the other lookup was not answered.
func (r *Resolver) addresses(ctx context.Context, host string) ([]string, error) {
	var found [2][]netip.Addr
	var failures [2]error
	var both sync.WaitGroup
	for i, kind := range []string{"ip4", "ip6"} {
		both.Go(func() { found[i], failures[i] = r.resolver.LookupNetIP(ctx, kind, host) })
	}
	both.Wait()
	var all []string
	for _, ip := range slices.Concat(found[0], found[1]) {
		all = append(all, ip.Unmap().String())
	}
	if len(all) > 0 {
		return all, nil
	}
	if isNone(failures[0]) {
		return nil, failures[1]
	}
	return nil, failures[0]
}

// absolute appends a dot to the name, so that the machine's search list is not tried.
func absolute(name string) string { return strings.TrimSuffix(name, ".") + "." }

// answer distinguishes an empty answer from no answer.
func answer(found []string, err error) ([]string, error) {
	if isNone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ask DNS: %w", err)
	}
	return found, nil
}

// isNone reports whether the answer says that the name has no record of this kind.
func isNone(err error) bool {
	if _, other := errors.AsType[*net.AddrError](err); other {
		return true
	}
	notFound, ok := errors.AsType[*net.DNSError](err)
	return ok && notFound.IsNotFound
}
