package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/franchise360/franchise360/scripts/customer"
)

const (
	// readsBack is the longest time without reads when a database of the cluster is lost.
	readsBack = 3 * time.Second
	readPause = 400 * time.Millisecond
	readLimit = 10 * time.Second
)

// readPages are what a signed-in customer reads: of the database's, and no page in a cache.
func readPages() []string {
	return []string{"/profile/details/profile", "/subscription/dashboard", "/subscription/payments/list", "/subscription-plan/list"}
}

// readers are people who read the same pages again and again, two for each page.
type readers struct {
	stop  context.CancelFunc
	ended sync.WaitGroup
	mu    sync.Mutex
	last  map[string]time.Time // when a page was last read
	away  time.Duration        // the longest time in which one page was not
}

// startReaders signs up a customer, whose pages are read until end.
func (f *form) startReaders(ctx context.Context) (*readers, error) {
	r := &readers{last: map[string]time.Time{}}
	mobile, err := newMobile()
	if err != nil {
		return nil, err
	}
	transport, err := f.transport()
	if err != nil {
		return nil, err
	}
	c, err := f.customer(transport, nil)
	if err != nil {
		return nil, err
	}
	_, err = c.SignUp(ctx, customer.Details{Mobile: mobile, Email: mobile + "@franchise360.example", Password: password, FirstName: "Ravi"})
	if err != nil {
		return nil, fmt.Errorf("sign up the reader: %w", err)
	}
	going, stop := context.WithCancel(ctx)
	r.stop = stop
	for i, page := range append(readPages(), readPages()...) {
		r.ended.Go(func() {
			_ = pause(going, time.Duration(i)*readPause/time.Duration(2*len(readPages())))
			for going.Err() == nil {
				r.read(going, f, c, page)
				_ = pause(going, readPause)
			}
		})
	}
	return r, nil
}

func (r *readers) read(ctx context.Context, f *form, c *customer.Customer, page string) {
	within, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	err := c.Call(within, http.MethodGet, page, nil, nil)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		f.note("read %s: %v", page, err)
		return
	}
	if away := r.succeeded(page, time.Now()); away > readsBack/2 {
		f.note("%s was not read for %s", page, away.Round(time.Millisecond))
	}
}

// succeeded notes that a page was read, and returns for how long it was not.
func (r *readers) succeeded(page string, at time.Time) (away time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last, ok := r.last[page]; ok {
		away = at.Sub(last)
		r.away = max(r.away, away)
	}
	r.last[page] = at
	return away
}

// end ends the reading and returns the longest time in which a page could not be read.
func (r *readers) end() time.Duration {
	r.stop()
	r.ended.Wait()
	now := time.Now()
	for _, page := range readPages() {
		r.succeeded(page, now)
	}
	return r.away
}
