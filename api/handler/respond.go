// Package handler turns HTTP into calls of the domain services and their results into the one envelope.
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

// keyRequest is where the router's first middleware keeps what every handler may need.
const keyRequest = "request"

// keyStore is where the router keeps that a store's host answered.
const keyStore = "store"

// request is what names a request in answers and in the log.
type request struct {
	id     string
	logger *slog.Logger
	// unhurried is the context of the request without the time by which its answer must have begun.
	unhurried context.Context
}

// requestOf returns the request of the context; one that never met the router has neither name nor log.
func requestOf(c *gin.Context) *request {
	if v, ok := c.Get(keyRequest); ok {
		if r, ok := v.(*request); ok {
			return r
		}
	}
	return &request{logger: slog.New(slog.DiscardHandler)}
}

// takeTime lets a request go on for as long as its caller stays and the server lets it write: an export whose answer comes
// bit by bit, or a step of the development clock.
func takeTime(c *gin.Context) {
	whole := requestOf(c).unhurried
	if whole == nil {
		return
	}
	// What the request learned on its way here, as who asks, stays.
	ctx, end := context.WithCancel(context.WithoutCancel(c.Request.Context()))
	context.AfterFunc(whole, end)
	c.Request = c.Request.WithContext(ctx)
}

// success is the envelope of every success; Data is null where a call answers with a message only.
type success struct {
	Status  bool   `json:"status"`
	Message string `json:"message"`
	Data    any    `json:"data"`
}

// OK answers 200 with the message, which the client shows as a toast unless it is empty, and the data.
func OK(c *gin.Context, message string, data any) error {
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusOK, success{Status: true, Message: message, Data: data})
	return nil
}

// Page says which rows of a list are asked for; pages count from 1.
type Page struct {
	Number  int
	PerPage int
	Search  string
	// After, where the list knows it, is the place of its last row, from which the next page goes on.
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

// ParsePage reads ?page=, ?per_page= and ?search=; anything out of range is an invalid input.
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

// List answers 200 with one page of rows (a slice, never nil) and where it stands among total rows.
func List(c *gin.Context, message string, rows any, p Page, total int) error {
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

// RequestID returns the identifier under which this request is logged.
func RequestID(c *gin.Context) string { return requestOf(c).id }

// accepted answers 202 to what was asked for now and happens later.
func accepted(c *gin.Context, message string, data any) error {
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusAccepted, success{Status: true, Message: message, Data: data})
	return nil
}
