// Package handler translates HTTP into domain service calls and wraps their results in the common envelope.
package handler

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// keyRequest is the context key under which the router's first middleware stores the request.
const keyRequest = "request"

// keyStore is the context key that marks a request served by a store's host.
const keyStore = "store"

// request identifies a request in responses and in the log.
type request struct {
	id     string
	logger *slog.Logger
	// unhurried is the request's context without the response deadline.
	unhurried context.Context
}

// requestOf returns the request of the context; outside the router it has neither id nor logger.
func requestOf(c *gin.Context) *request {
	if v, ok := c.Get(keyRequest); ok {
		if r, ok := v.(*request); ok {
			return r
		}
	}
	return &request{logger: slog.New(slog.DiscardHandler)}
}

// takeTime lifts the response deadline until the caller disconnects or the server's write timeout: for an export streamed
// in pieces, or a step of the development clock.
func takeTime(c *gin.Context) {
	whole := requestOf(c).unhurried
	if whole == nil {
		return
	}
	// Keep values added to the context so far, such as the caller.
	ctx, end := context.WithCancel(context.WithoutCancel(c.Request.Context()))
	context.AfterFunc(whole, end)
	c.Request = c.Request.WithContext(ctx)
}

// success is the envelope of every success; Data is null if a call returns only a message.
type success struct {
	Status  bool   `json:"status"`
	Message string `json:"message"`
	Data    any    `json:"data"`
}

// OK responds 200 with the data and the message, which the client shows as a toast unless it is empty.
func OK(c *gin.Context, message string, data any) error {
	message, data = inLanguage(c, message, data)
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusOK, success{Status: true, Message: message, Data: data})
	return nil
}

// Page selects the requested rows of a list; pages count from 1.
type Page struct {
	Number  int
	PerPage int
	Search  string
	// After is the cursor of the last row seen, from which the next page continues, if the list supports it.
	After string
}

// The page size of lists.
const (
	defaultPerPage = 10
	maxPerPage     = 100
	maxPage        = 1_000_000
	maxSearch      = 100
)

// Offset returns how many rows come before the page.
func (p Page) Offset() int { return (p.Number - 1) * p.PerPage }

// ParsePage parses ?page=, ?per_page= and ?search=; out-of-range values are a validation error.
func ParsePage(c *gin.Context) (Page, error) {
	var v errs.Validation
	p := Page{Number: 1, PerPage: defaultPerPage, Search: c.Query("search")}
	if s := c.Query("page"); s != "" {
		n, err := strconv.Atoi(s)
		v.Check(err == nil && n >= 1 && n <= maxPage, "page", "Page must be a whole number from 1.")
		p.Number = n
	}
	if s := c.Query("per_page"); s != "" {
		n, err := strconv.Atoi(s)
		v.Check(err == nil && n >= 1 && n <= maxPerPage, "per_page", "Rows per page must be from 1 to 100.")
		p.PerPage = n
	}
	v.Check(utf8.RuneCountInString(p.Search) <= maxSearch && text.Clean(p.Search), "search", "Search for up to 100 characters of text.")
	return p, v.Err()
}

type list struct {
	Status      bool    `json:"status"`
	Message     string  `json:"message"`
	Data        any     `json:"data"`
	CurrentPage int     `json:"current_page"`
	LastPage    int     `json:"last_page"`
	NextPageURL *string `json:"next_page_url"`
	PerPage     int     `json:"per_page"`
	Total       int     `json:"total"`
}

// List responds 200 with one page of rows (a slice, never nil) and its position among total rows.
func List(c *gin.Context, message string, rows any, p Page, total int) error {
	message, rows = inLanguage(c, message, rows)
	last := max(1, (total+p.PerPage-1)/p.PerPage)
	answer := list{
		Status: true, Message: message, Data: rows,
		CurrentPage: p.Number, LastPage: last, PerPage: p.PerPage, Total: total,
	}
	if p.Number < last {
		next := nextPage(c.Request.URL, p.Number+1, p.After)
		answer.NextPageURL = &next
	}
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusOK, answer)
	return nil
}

func nextPage(u *url.URL, n int, after string) string {
	q := u.Query()
	q.Set("page", strconv.Itoa(n))
	if q.Del("after"); after != "" {
		q.Set("after", after)
	}
	return u.Path + "?" + q.Encode()
}

// RequestID returns the id under which this request is logged.
func RequestID(c *gin.Context) string { return requestOf(c).id }

// accepted responds 202 to a request that will be carried out later.
func accepted(c *gin.Context, message string, data any) error {
	message, data = inLanguage(c, message, data)
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusAccepted, success{Status: true, Message: message, Data: data})
	return nil
}
