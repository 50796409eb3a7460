package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// connections is the number of concurrent callers.
const connections = 16

// rounds is how often the two sides alternate; each round of a side lasts roundTime.
const (
	rounds    = 5
	roundTime = 3 * time.Second
)

// ask makes one call as caller n and fails on any unexpected response.
type ask func(ctx context.Context, caller int) error

// load runs ask from every caller for roundTime and returns calls per second and the duration of each call.
func load(ctx context.Context, callers int, fn ask) (perSecond float64, took []time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, roundTime)
	defer cancel()
	var group sync.WaitGroup
	var failure atomic.Pointer[error]
	all := make([][]time.Duration, callers)
	begun := time.Now()
	for n := range callers {
		group.Go(func() {
			for ctx.Err() == nil {
				t := time.Now()
				if err := fn(ctx, n); err != nil {
					if ctx.Err() == nil {
						failure.CompareAndSwap(nil, &err)
						cancel()
					}
					return
				}
				all[n] = append(all[n], time.Since(t))
			}
		})
	}
	group.Wait()
	elapsed := time.Since(begun)
	if f := failure.Load(); f != nil {
		return 0, nil, *f
	}
	took = slices.Concat(all...)
	slices.Sort(took)
	return float64(len(took)) / elapsed.Seconds(), took, nil
}

// side is one of two things being compared; it returns its calls per second.
type side func(ctx context.Context) (float64, error)

// alternate measures A, B, A, B, … and returns the rates of both in the order of the rounds.
func alternate(ctx context.Context, a, b side) (as, bs []float64, err error) {
	for range rounds {
		rate, err := a(ctx)
		if err != nil {
			return nil, nil, err
		}
		as = append(as, rate)
		if rate, err = b(ctx); err != nil {
			return nil, nil, err
		}
		bs = append(bs, rate)
	}
	return as, bs, nil
}

// inTurn measures single calls, A, B, A, B, …, and returns the rates of both in round order. The machine's speed changes within
// seconds, so separate rounds cannot resolve a difference of a few milliseconds.
func inTurn(ctx context.Context, a, b func(context.Context) error) (as, bs []float64, err error) {
	for range rounds {
		var inA, inB time.Duration
		calls := 0
		for ; inA+inB < 2*roundTime; calls++ {
			took, err := timed(func() error { return a(ctx) })
			if err != nil {
				return nil, nil, err
			}
			inA += took
			if took, err = timed(func() error { return b(ctx) }); err != nil {
				return nil, nil, err
			}
			inB += took
		}
		as, bs = append(as, float64(calls)/inA.Seconds()), append(bs, float64(calls)/inB.Seconds())
	}
	return as, bs, nil
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// rates formats the rounds of one side as median and spread.
func rates(v []float64) string {
	return fmt.Sprintf("%.0f/s (%.0f–%.0f)", median(v), slices.Min(v), slices.Max(v))
}

// compare builds the table row for two sides: met if the ratio of the medians reaches wanted.
func compare(ours, limit []float64, wanted float64) result {
	ratio := median(ours) / median(limit)
	return result{
		Ours: rates(ours), Limit: rates(limit), Ratio: fmt.Sprintf("%.2f", ratio),
		Wanted: fmt.Sprintf("≥ %.2f", wanted), Met: ratio >= wanted,
	}
}

// atMost builds the table row for two durations in milliseconds: met if ours takes at most wanted times the limit's.
func atMost(ours, limit []float64, wanted float64, note string) result {
	ratio := median(ours) / median(limit)
	return result{
		Ours: durations(ours), Limit: durations(limit), Ratio: fmt.Sprintf("%.2f", ratio), Wanted: fmt.Sprintf("≤ %.1f", wanted),
		Met: ratio <= wanted, Note: note,
	}
}

func durations(v []float64) string {
	return fmt.Sprintf("%.1f ms (%.1f–%.1f)", median(v), slices.Min(v), slices.Max(v))
}

func newHTTPClient() *http.Client {
	return &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 128, DisableCompression: true},
	}
}

// fetch makes a GET and reads the whole response, as a client would.
func fetch(ctx context.Context, client *http.Client, url string, header http.Header) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("make request: %w", err)
	}
	r.Header = header
	return discard(client.Do(r)) //nolint:bodyclose // discard closes it
}

func discard(resp *http.Response, err error) error {
	if err != nil {
		return fmt.Errorf("call: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("answered %d", resp.StatusCode)
	}
	return nil
}
