// Package receiver posts webhooks to the operator's connected systems, and to nothing inside the network that the product runs in.
package receiver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/webhook"
)

const (
	// timeout limits one attempt, from the name's look-up to the end of the answer.
	timeout = 10 * time.Second
	// maxAnswer is how much of an answer is read.
	maxAnswer = 1024
)

// errInside reports an address that is not everybody's.
var errInside = errors.New("the name leads to an address inside a network")

// Client posts to endpoints.
type Client struct {
	http    *http.Client
	metrics *metrics.Metrics
}

// Measured enables timing of the calls.
func (c *Client) Measured(m *metrics.Metrics) { c.metrics = m }

// New returns a client. inside allows it to connect to this machine and to private networks, in development. The address is judged
// when the connection is made, so that no name can lead elsewhere after it was checked. A proxy of the environment is not used.
func New(inside bool) *Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	if !inside {
		dialer.Control = refuseInside
	}
	return &Client{http: &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: 5 * time.Second, DisableKeepAlives: true, ForceAttemptHTTP2: true,
			MaxResponseHeaderBytes: 16 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func refuseInside(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !Public(at.Addr()) {
		return errInside
	}
	return nil
}

// global is what IANA has allocated of IPv6 for global unicast: all else is special, or carries an IPv4 address.
const global = "2000::/3"

// Public reports whether an address belongs to the public internet: it is not in IANA's registries of special purpose addresses, and is not
// an IPv6 address that contains an IPv4 one.
func Public(ip netip.Addr) bool {
	ip = ip.Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Zone() != "" || ip.Is6() && !netip.MustParsePrefix(global).Contains(ip) {
		return false
	}
	return !slices.ContainsFunc(special(), func(p netip.Prefix) bool { return p.Contains(ip) })
}

func special() []netip.Prefix {
	var list []netip.Prefix
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// Post implements webhook.Receiver.
func (c *Client) Post(ctx context.Context, m webhook.Message) (webhook.Answer, error) {
	began := time.Now() //nolint:forbidigo // measures a call's duration, not business time
	answer, err := c.post(ctx, m)
	if c.metrics != nil {
		outcome := "ok"
		if err != nil || !answer.Ok() {
			outcome = "failed"
		}
		c.metrics.Provider("webhook", outcome, time.Since(began))
	}
	return answer, err
}

func (c *Client) post(ctx context.Context, m webhook.Message) (webhook.Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return webhook.Answer{}, errors.New("the address is none")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Franchise360-Webhooks/1")
	for name, value := range m.Header {
		req.Header.Set(name, value)
	}
	res, err := c.http.Do(req)
	if err != nil {
		if where, ok := errors.AsType[*url.Error](err); ok { // its text holds the address, which may hold a key
			err = where.Err
		}
		return webhook.Answer{}, fmt.Errorf("post: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	// The status has come, and it decides: an answer that breaks off is one too.
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	return webhook.Answer{Status: res.StatusCode, Body: body}, nil
}
