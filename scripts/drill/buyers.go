package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/franchise360/franchise360/scripts/customer"
)

const (
	password = "Mangoes#2027"
	// stepLimit is how long a buyer retries one step before giving up.
	stepLimit = 90 * time.Second
	stepPause = 300 * time.Millisecond
)

// answer is the outcome of one request to the site.
type answer struct {
	at     time.Time
	took   time.Duration
	failed string // the failure that the buyer saw; empty without one
}

// load is a set of buyers who sign up and buy in a loop, and their results.
type load struct {
	form  *form
	mu    sync.Mutex
	heard []answer
	paid  []purchase
	quit  int // buyers who gave up before paying
	stop  context.CancelFunc
	// codeless allows that the code of a sign-up never comes.
	codeless bool
	// pace is held for reading during each purchase.
	pace  sync.RWMutex
	ended sync.WaitGroup
}

// purchase is a purchase that the buyer saw confirmed.
type purchase struct {
	mobile    string
	at        time.Time
	confirmed time.Duration // time since the gateway captured the money
}

// start runs the given number of buyers in parallel until end.
func (f *form) start(ctx context.Context, buyers int, codeless bool) *load {
	l := &load{form: f, codeless: codeless}
	going, stop := context.WithCancel(ctx)
	l.stop = stop
	for range buyers {
		l.ended.Go(func() {
			for going.Err() == nil {
				l.pace.RLock()
				err := l.buy(ctx)
				l.pace.RUnlock()
				switch {
				case err == nil || ctx.Err() != nil:
				case errors.Is(err, errNotBegun) && (l.codeless || !errors.Is(err, customer.ErrNotYet)):
					_ = pause(going, stepPause) // then the next buyer arrives
				default:
					l.mu.Lock()
					l.quit++
					l.mu.Unlock()
					f.note("a buyer gave up: %v", err)
				}
			}
		})
	}
	return l
}

// hold lets every buyer finish and none start until the returned function is called.
func (l *load) hold() (goOn func()) {
	l.pace.Lock()
	return l.pace.Unlock
}

// end waits until every buyer has finished the current purchase.
func (l *load) end() {
	l.stop()
	l.ended.Wait()
}

// errNotBegun means that a buyer met a failure before the account existed.
var errNotBegun = errors.New("the sign-up failed")

func (l *load) watch(request *http.Request, status int, took time.Duration, err error) {
	if request.URL.Host != l.form.siteHost {
		return
	}
	a := answer{at: time.Now(), took: took}
	switch {
	case err != nil:
		a.failed = "no answer"
	case status >= http.StatusBadRequest:
		a.failed = fmt.Sprint(status)
	}
	if a.failed != "" {
		l.form.note("%s %s: %s after %s %v", request.Method, request.URL.Path, a.failed, took.Round(time.Millisecond), err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = append(l.heard, a)
}

// buy takes a new person through a whole purchase. A fault during sign-up means starting over with another number; once a
// payment has begun, the buyer carries on until it is confirmed.
func (l *load) buy(ctx context.Context) error {
	mobile, err := newMobile()
	if err != nil {
		return err
	}
	transport, err := l.form.transport()
	if err != nil {
		return err
	}
	defer transport.CloseIdleConnections()
	c, err := l.form.customer(transport, l.watch)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.SignUp(ctx, customer.Details{Mobile: mobile, Email: mobile + "@franchise360.example", Password: password, FirstName: "Asha"})
	if err != nil {
		return errors.Join(errNotBegun, err)
	}
	var services []string
	var session customer.Session
	var back customer.Back
	key, ending := rand.Text(), endings[time.Now().UnixNano()%int64(len(endings))]
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"save the address", func() error { return c.SaveAddress(ctx) }},
		{"read the plans", func() (err error) { services, err = c.FirstServices(ctx); return err }},
		{"ask for the charge", func() (err error) { session, err = c.RequestAgain(ctx, services[0], key); return err }},
		{"pay", func() (err error) { back, err = c.Decide(ctx, session, ending); return err }},
	} {
		if err := again(ctx, c, step.do); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	charged := time.Now()
	if back.URL != "" {
		if err := again(ctx, c, func() error { return c.Return(ctx, back) }); err != nil {
			return fmt.Errorf("return: %w", err)
		}
	}
	if err := again(ctx, c, func() error { return c.WaitPaid(ctx, session) }); err != nil {
		return fmt.Errorf("wait for the confirmation of %s: %w", session.TransactionID, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.paid = append(l.paid, purchase{mobile: mobile, at: time.Now(), confirmed: time.Since(charged)})
	return nil
}

// endings are the ways the gateway reports a payment; in each, the webhook or the browser return arrives.
var endings = []string{ //nolint:gochecknoglobals // a constant
	`{"outcome":"success","webhook":"once","return":"post"}`,
	`{"outcome":"success","webhook":"twice","return":"post"}`,
	`{"outcome":"success","webhook":"once","return":"lost"}`,
	`{"outcome":"success","webhook":"lost","return":"post"}`,
}

// customer returns a new customer with a browser; watch may be nil.
func (f *form) customer(transport *http.Transport, watch func(*http.Request, int, time.Duration, error)) (*customer.Customer, error) {
	a := f.read()
	return customer.New(customer.Stack{Site: a.Site, Inbox: a.SMSInbox, Transport: transport, Watch: watch})
}

// again retries a step until it succeeds, like a user who follows the request to try again. It renews an expired session, as the web client
// does.
func again(ctx context.Context, c *customer.Customer, step func() error) error {
	ctx, cancel := context.WithTimeout(ctx, stepLimit)
	defer cancel()
	for {
		err := step()
		if err == nil {
			return nil
		}
		if customer.Status(err) == http.StatusUnauthorized && c.Refresh(ctx) == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(stepPause):
		}
	}
}

func number(below int64) (int64, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(below))
	if err != nil {
		return 0, fmt.Errorf("draw a number: %w", err)
	}
	return n.Int64(), nil
}

func newMobile() (string, error) {
	n, err := number(1_000_000_000)
	return fmt.Sprintf("9%09d", n), err
}

// transport returns a browser's transport with its own loopback address, because rate limits count by address.
func (f *form) transport() (*http.Transport, error) {
	n, err := number(200 * 250 * 250)
	if err != nil {
		return nil, err
	}
	from := net.IPv4(127, byte(10+n/62500), byte(1+n/250%250), byte(1+n%250))
	return &http.Transport{
		TLSClientConfig: f.trust.Clone(),
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: 10 * time.Second}
			if address != f.siteHost {
				return dialer.DialContext(ctx, network, address)
			}
			// As a browser does with a name of several addresses.
			proxies, problems := f.read().Proxies, []error(nil)
			for i := range proxies {
				connection, err := dialer.DialContext(ctx, network, proxies[(int(n)+i)%len(proxies)])
				if err == nil {
					return connection, nil
				}
				problems = append(problems, err)
			}
			return nil, errors.Join(problems...)
		},
	}, nil
}
