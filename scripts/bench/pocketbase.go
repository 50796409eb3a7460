package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// pocketBase is a running PocketBase with one user per caller, until end.
type pocketBase struct {
	Address string   `json:"address"`
	Tokens  []string `json:"tokens"`
	end     func()
}

// buildPocketBase builds the program, a separate module because the product must not depend on it.
func buildPocketBase(ctx context.Context, dir string) (string, error) {
	program := filepath.Join(dir, "pocketbase")
	out, err := exec.CommandContext(ctx, "go", "build", "-C", "scripts/bench/pocketbase", "-o", program, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build pocketbase: %w: %s", err, out)
	}
	return program, nil
}

// startPocketBase gives each user the given number of orders, all copies of row.
func startPocketBase(ctx context.Context, program string, users, orders int, row map[string]any) (*pocketBase, error) {
	dir, err := embedded.TemporaryFolder("franchise360-pocketbase-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	wanted, err := json.Marshal(map[string]any{"users": users, "orders": orders, "row": row})
	if err != nil {
		return nil, fmt.Errorf("say what is wanted: %w", err)
	}
	cmd := exec.CommandContext(ctx, program, dir)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(wanted), os.Stderr
	p := &pocketBase{end: func() {
		if cmd.Process != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // it was killed
		}
		_ = os.RemoveAll(dir)
	}}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		err = json.NewDecoder(out).Decode(p)
	}
	if err != nil {
		p.end()
		return nil, fmt.Errorf("start pocketbase: %w", err)
	}
	return p, nil
}

// page returns the URL of a page of a user's newest orders, with the total counted, as is PocketBase's default.
func (p *pocketBase) page() string {
	return fmt.Sprintf("http://%s/api/collections/orders/records?perPage=%d&sort=-number", p.Address, orderPage)
}

func (p *pocketBase) header(user int) http.Header {
	return http.Header{"Authorization": {p.Tokens[user]}}
}

// grow lengthens the row by a number of bytes, or shortens it by cutting its longest texts.
func grow(row map[string]any, by int) {
	const name = "filler"
	if by > 0 {
		row[name] = strings.Repeat("x", max(1, by-len(`"filler":"",`)))
		return
	}
	var texts []string
	for name, value := range row {
		if _, ok := value.(string); ok {
			texts = append(texts, name)
		}
	}
	length := func(name string) int { return len(row[name].(string)) }
	slices.SortFunc(texts, func(a, b string) int { return length(b) - length(a) })
	for _, name := range texts {
		cut := min(-by, length(name)-1)
		if cut < 1 {
			return
		}
		row[name] = strings.ToValidUTF8(row[name].(string)[:length(name)-cut], "")
		by += cut
	}
}

// orderListBeside compares a page of fifty orders with PocketBase's page of equally large rows, for the same number of
// signed-in callers.
func orderListBeside(ctx context.Context, s stack) (result, error) {
	o, err := openOrderPages(ctx, s)
	if err != nil {
		return result{}, err
	}
	ours, err := o.rows(ctx)
	if err != nil {
		return result{}, err
	}
	p, size, err := pocketBaseLike(ctx, ours)
	if err != nil {
		return result{}, err
	}
	defer p.end()
	client := newHTTPClient()
	theirs := func(ctx context.Context) (float64, error) {
		rate, _, err := load(ctx, connections, func(ctx context.Context, n int) error {
			return fetch(ctx, client, p.page(), p.header(n))
		})
		return rate, err
	}
	a, b, err := alternate(ctx, o.read, theirs)
	if err != nil {
		return result{}, err
	}
	r := compare(a, b, 1.2)
	r.Note = fmt.Sprintf("(%d bytes of rows, PocketBase %d)", sizeOf(ours), size)
	return r, nil
}

func sizeOf(rows []json.RawMessage) int {
	size := 0
	for _, row := range rows {
		size += len(row)
	}
	return size
}

// pocketBaseLike starts a PocketBase whose rows are as large as ours, after measuring what its own fields add; size is its
// rows' size in bytes.
func pocketBaseLike(ctx context.Context, ours []json.RawMessage) (p *pocketBase, size int, err error) {
	dir, err := embedded.TemporaryFolder("franchise360-bench-")
	if err != nil {
		return nil, 0, fmt.Errorf("make a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program, err := buildPocketBase(ctx, dir)
	if err != nil {
		return nil, 0, err
	}
	if len(ours) != orderPage {
		return nil, 0, fmt.Errorf("our page has %d rows", len(ours))
	}
	var row map[string]any
	if err := json.Unmarshal(ours[0], &row); err != nil {
		return nil, 0, fmt.Errorf("read our row: %w", err)
	}
	delete(row, "id") // PocketBase generates its own
	for _, users := range []int{1, connections} {
		if p, err = startPocketBase(ctx, program, users, ordersEach, row); err != nil {
			return nil, 0, err
		}
		if size, err = p.size(ctx); err != nil {
			p.end()
			return nil, 0, err
		}
		if users == 1 {
			p.end()
			grow(row, (sizeOf(ours)-size)/orderPage)
		}
	}
	return p, size, nil
}

// size returns the size of a page's rows in bytes.
func (p *pocketBase) size(ctx context.Context) (int, error) {
	page, _, _, err := sample(ctx, newHTTPClient(), p.page(), p.header(0))
	if err != nil {
		return 0, err
	}
	var answer struct{ Items []json.RawMessage }
	if err := json.Unmarshal(page, &answer); err != nil {
		return 0, fmt.Errorf("read the page of pocketbase: %w", err)
	}
	if len(answer.Items) != orderPage {
		return 0, fmt.Errorf("the page of pocketbase has %d rows", len(answer.Items))
	}
	return sizeOf(answer.Items), nil
}
