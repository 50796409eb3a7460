// Package dns asks name servers about custom domains. It only resolves: no address that it is told is ever connected to.
package dns

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// timeout bounds one question, retries and aliases included.
const timeout = 5 * time.Second

// Resolver asks the machine's name servers, or one of its own.
type Resolver struct{ resolver *net.Resolver }

// New returns a resolver; server is host:port of a name server, empty for those of the machine.
func New(server string) *Resolver {
	r := &net.Resolver{PreferGo: true}
	if server != "" {
		r.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{Timeout: timeout}).DialContext(ctx, network, server)
		}
	}
	return &Resolver{resolver: r}
}

// TXT returns the name's TXT records, each with its parts joined; none for a name that has none or does not exist.
func (r *Resolver) TXT(ctx context.Context, name string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	found, err := r.resolver.LookupTXT(ctx, absolute(name))
	return answer(found, err)
}

// Addresses returns the host's IPv4 and IPv6 addresses, aliases followed; none where it has none or does not exist.
func (r *Resolver) Addresses(ctx context.Context, host string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	found, err := r.resolver.LookupHost(ctx, absolute(host))
	return answer(found, err)
}

// absolute ends the name with a dot, so that the machine's search list is not tried.
func absolute(name string) string { return strings.TrimSuffix(name, ".") + "." }

// answer tells "there is none" from "nobody answered".
func answer(found []string, err error) ([]string, error) {
	var notFound *net.DNSError
	if errors.As(err, &notFound) && notFound.IsNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ask DNS: %w", err)
	}
	return found, nil
}
