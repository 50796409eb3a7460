package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

const planListPath = "/api/franchise/subscription-plan/list"

// planList compares the public plan list with a bare Gin handler that answers the same bytes from memory.
func planList(ctx context.Context, s stack) (result, error) {
	client := newHTTPClient()
	header := http.Header{"Accept-Encoding": {"gzip"}}
	body, kind, encoding, err := sample(ctx, client, s.Site+planListPath, header)
	if err != nil {
		return result{}, err
	}
	bare, stop, err := serveBare(ctx, body, kind, encoding)
	if err != nil {
		return result{}, err
	}
	defer stop()
	of := func(url string) side {
		return func(ctx context.Context) (float64, error) {
			rate, _, err := load(ctx, connections, func(ctx context.Context, _ int) error {
				return fetch(ctx, client, url, header)
			})
			return rate, err
		}
	}
	ours, limit, err := alternate(ctx, of(s.Site+planListPath), of(bare+planListPath))
	if err != nil {
		return result{}, err
	}
	r := compare(ours, limit, 0.8)
	r.Note = fmt.Sprintf("(%d bytes, %s)", len(body), encoding)
	return r, nil
}

func sample(ctx context.Context, client *http.Client, url string, header http.Header) (body []byte, kind, encoding string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, "", "", fmt.Errorf("make request: %w", err)
	}
	r.Header = header
	resp, err := client.Do(r)
	if err != nil {
		return nil, "", "", fmt.Errorf("call: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, "", "", fmt.Errorf("answered %d", resp.StatusCode)
	}
	body, err = io.ReadAll(resp.Body)
	return body, resp.Header.Get("Content-Type"), resp.Header.Get("Content-Encoding"), err
}

// serveBare answers the bytes from a Gin engine without any middleware.
func serveBare(ctx context.Context, body []byte, kind, encoding string) (string, func(), error) {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.GET(planListPath, func(c *gin.Context) {
		if encoding != "" {
			c.Header("Content-Encoding", encoding)
		}
		c.Data(http.StatusOK, kind, body)
	})
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: e, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(l) }()
	return "http://" + l.Addr().String(), func() { _ = server.Close() }, nil
}
