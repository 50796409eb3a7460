package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/httpserver"
)

const planListPath = "/api/franchise/subscription-plan/list"

// planList compares the public plan list with a bare Gin handler that serves the same bytes from memory, in a separate process
// with the api's server settings: in the callers' process it would save a context switch per request.
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

// serveBare runs this program again as the bare handler and returns its address.
func serveBare(ctx context.Context, body []byte, kind, encoding string) (string, func(), error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, bareCommand, kind, encoding)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(body), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, fmt.Errorf("bare handler: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("start the bare handler: %w", err)
	}
	stop := func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("address of the bare handler: %w", err)
	}
	return "http://" + strings.TrimSpace(address), stop, nil
}

// bareCommand as the first argument turns this program into the bare handler.
const bareCommand = "bare-handler"

// bareHandler serves the content of in through a Gin engine without middleware until it is killed; it writes its address to
// out.
func bareHandler(ctx context.Context, in io.Reader, out io.Writer, kind, encoding string) error {
	body, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
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
		return fmt.Errorf("listen: %w", err)
	}
	if _, err := fmt.Fprintln(out, l.Addr()); err != nil {
		return fmt.Errorf("tell the address: %w", err)
	}
	return httpserver.New(e, slog.New(slog.DiscardHandler)).Serve(l)
}
