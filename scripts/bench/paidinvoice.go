package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/franchise360/franchise360/scripts/customer"
)

// The number of purchases timed, the duration of the load beside them, and how often to poll for the invoice.
const (
	purchases    = 60
	invoiceStep  = 5 * time.Millisecond
	invoiceLimit = 30 * time.Second
	// Limits for the 95th percentile, idle and at half of the machine's capacity.
	invoiceIdle, invoiceBusy = 300 * time.Millisecond, time.Second
	// sustained is the share of what hashing alone allows that a mixed day takes (see the README).
	sustained = 0.6
)

// paidInvoice measures from the moment the gateway captured the money until the invoice's PDF is downloaded.
func paidInvoice(ctx context.Context, s stack) (result, error) {
	idle, err := timeInvoices(ctx, s, 0)
	if err != nil {
		return result{}, err
	}
	m, err := openMixed(ctx, s)
	if err != nil {
		return result{}, err
	}
	allowed, err := hashesAlone(ctx)
	if err != nil {
		return result{}, err
	}
	beside := allowed * sustained / 2
	loaded, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		m.run(loaded, beside, time.Hour) // until cancelled
	}()
	busy, err := timeInvoices(ctx, s, purchases)
	end()
	<-ended
	if err != nil {
		return result{}, err
	}
	return result{
		Ours: fmt.Sprintf("p95 %.0f and %.0f ms", ms(idle), ms(busy)), Limit: "300 ms idle, 1 s busy",
		Ratio:  fmt.Sprintf("%.2f", max(float64(idle)/float64(invoiceIdle), float64(busy)/float64(invoiceBusy))),
		Wanted: "≤ 1.0", Met: idle <= invoiceIdle && busy <= invoiceBusy,
		Note: fmt.Sprintf("(beside %.0f calls a second of a mixed day)", beside),
	}, nil
}

func timeInvoices(ctx context.Context, s stack, from int) (time.Duration, error) {
	mobiles := firstMobile + 2_000_000 + time.Now().Unix()%100_000*100
	var took []time.Duration
	for n := range purchases {
		t, err := timeInvoice(ctx, s, strconv.FormatInt(mobiles+int64(from+n), 10))
		if err != nil {
			return 0, err
		}
		took = append(took, t)
	}
	slices.Sort(took)
	return quantile(took, 0.95), nil
}

// timeInvoice times a purchase by a new customer.
func timeInvoice(ctx context.Context, s stack, mobile string) (time.Duration, error) {
	c, err := customer.New(customer.Stack{Site: s.Site, Inbox: s.SMSInbox})
	if err != nil {
		return 0, err
	}
	if _, err := c.SignUp(ctx, customer.Details{
		Mobile: mobile, Email: "bench@franchise360.example", Password: benchPassword, FirstName: "Bench",
	}); err != nil {
		return 0, err
	}
	if err := c.SaveAddress(ctx); err != nil {
		return 0, err
	}
	services, err := c.FirstServices(ctx)
	if err != nil {
		return 0, err
	}
	session, err := c.Request(ctx, services[0])
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	back, err := c.Decide(ctx, session, `{"outcome":"success","webhook":"once","return":"post"}`)
	if err != nil {
		return 0, err
	}
	if err := c.Return(ctx, back); err != nil {
		return 0, err
	}
	for time.Since(begun) < invoiceLimit {
		link, err := invoiceLink(ctx, c, session.TransactionID)
		if err != nil {
			return 0, err
		}
		if link != "" {
			err := fetch(ctx, http.DefaultClient, link, http.Header{})
			return time.Since(begun), err
		}
		time.Sleep(invoiceStep)
	}
	return 0, errors.New("no invoice came")
}

// invoiceLink returns the download link of the transaction's invoice, or "" before it exists.
func invoiceLink(ctx context.Context, c *customer.Customer, transactionID string) (string, error) {
	var status struct {
		InvoiceID *string `json:"invoice_id"`
	}
	if err := c.Call(ctx, http.MethodGet, "/subscription/payments/status/"+url.PathEscape(transactionID), nil, &status); err != nil {
		return "", err
	}
	if status.InvoiceID == nil {
		return "", nil
	}
	var link struct {
		Invoice *string `json:"invoice"`
	}
	err := c.Call(ctx, http.MethodGet, "/subscription/invoice/"+*status.InvoiceID, nil, &link)
	if err != nil || link.Invoice == nil {
		return "", err
	}
	return *link.Invoice, nil
}
