package main

import (
	"context"
	"net/http"

	"github.com/franchise360/franchise360/scripts/customer"
)

// signedInPlanList compares the plan list for signed-in callers with the anonymous one: the cost of identifying the caller and
// tailoring the answer on each request.
func signedInPlanList(ctx context.Context, s stack) (result, error) {
	people, _, err := signUpAll(ctx, s, 300)
	if err != nil {
		return result{}, err
	}
	client := newHTTPClient()
	of := func(headers []http.Header) side {
		return func(ctx context.Context) (float64, error) {
			rate, _, err := load(ctx, connections, func(ctx context.Context, n int) error {
				return fetch(ctx, client, s.Site+planListPath, headers[n])
			})
			return rate, err
		}
	}
	anybody := make([]http.Header, len(people))
	for n := range anybody {
		anybody[n] = http.Header{"Accept-Encoding": {"gzip"}}
	}
	ours, limit, err := alternate(ctx, of(headersOf(people)), of(anybody))
	if err != nil {
		return result{}, err
	}
	return compare(ours, limit, 0.4), nil
}

// headersOf returns the headers that these customers' browsers send.
func headersOf(people []*customer.Customer) []http.Header {
	headers := make([]http.Header, len(people))
	for n, c := range people {
		headers[n] = http.Header{"Accept-Encoding": {"gzip"}, "Cookie": {c.Cookies()}}
	}
	return headers
}
