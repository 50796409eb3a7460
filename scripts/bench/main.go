// Command bench measures the product against limits measured in the same run: every figure is a ratio, because the machine's
// absolute speed drifts. It starts its own stack with a durable database, unless -stack names a running one. The load
// generator, the processes and the database share the machine.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// stack is the development stack's report about itself.
type stack struct {
	Site        string `json:"site"`
	SMSInbox    string `json:"sms_inbox"`
	OwnerURL    string `json:"database_owner_url"`
	DatabaseURL string `json:"database_url"`
	// rows is the size of the sweep's large table.
	rows int
}

// measure is one figure, its limit and the requirement.
type measure struct {
	name string
	run  func(ctx context.Context, s stack) (result, error)
}

// result is a row of the table.
type result struct {
	Ours, Limit, Ratio, Wanted string
	Met                        bool
	Note                       string
}

// measures are in execution order: measures that leave work for the workers come last.
func measures() []measure {
	return []measure{
		{"job start after commit", jobStart},
		{"plan list", planList},
		{"signed-in plan list", signedInPlanList},
		{"login", signIn},
		{"login without its password hash", besideHash},
		{"refused login: known against unknown mobile", unknownMobile},
		{"dashboard", dashboard},
		{"payment request", paymentRequest},
		{"invoice PDF", documents},
		{"search", search},
		{"place suggestions", suggest},
		{"sweep of due rows", sweepRate},
		{"sweep at ten times the rows", sweepGrowth},
		{"renewals by mandate", renewalsByMandate},
		{"list of 50 orders", orderList},
		{"list of orders, against PocketBase", orderListBeside},
		{"list, page 5,000", listPages},
		{"no-op jobs", noopRate},
		{"paid to invoice downloaded", paidInvoice},
		{"mixed day", mixedDay},
		{"reads beyond capacity", overload},
		{"OTP with a backlog in another queue", otpBeside},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) // stop only releases the signal handler
	}
}

func run(ctx context.Context) error {
	if len(os.Args) == 4 && os.Args[1] == bareCommand {
		return bareHandler(ctx, os.Stdin, os.Stdout, os.Args[2], os.Args[3])
	}
	file := flag.String("stack", "", "addresses of a running stack, as written by devstack -json; empty starts one")
	only := flag.String("only", "", "measure only what has this in its name")
	rows := flag.Int("rows", 1_000_000, "rows of the large table of the sweep, which is held against a tenth of them; 10000000 take some 10 GB and a quarter of an hour")
	customers := flag.Int("growth", 0, "instead of the rest, measure what reads over this many customers, in stages on a Postgres of its own; 50000000 take 25 GB")
	folder := flag.String("data", "", "with -growth, the folder of that Postgres; empty makes one and removes it at the end")
	keep := flag.Bool("keep", false, "with -growth and -data, leave each stage's database for the next run, which then fills none")
	var plan capacity
	flag.IntVar(&plan.customers, "capacity", 0, "instead of measuring, reckon from the last run which machines this many customers need, and what fails first")
	flag.IntVar(&plan.years, "years", 5, "with -capacity, for how many years data is kept")
	flag.Float64Var(&plan.peak, "peak", 8, "with -capacity, how many times the year's mean the busiest hour has")
	flag.StringVar(&plan.prices, "prices", "", "with -capacity, a CSV file of prices a month: name,core,memory,disk,objects")
	write := flag.Bool("write", false, "put the table into scripts/bench/results.gen.md")
	flag.Parse()
	if *customers != 0 && *customers < growthLeast {
		return fmt.Errorf("-growth is at least %d", growthLeast)
	}
	if *rows/10 < sweepDue {
		return fmt.Errorf("-rows is at least %d", sweepDue*10)
	}

	if plan.customers > 0 {
		return tellCapacity(os.Stdout, plan)
	}
	if *customers > 0 {
		return measureGrowth(ctx, growth{customers: *customers, only: *only, folder: *folder, keep: *keep})
	}
	s, end, err := openStack(ctx, *file)
	if err != nil {
		return err
	}
	defer end()
	s.rows = *rows
	fmt.Printf("%-28s %-26s %-26s %-8s %-22s %s\n", "what", "ours", "limit", "ratio", "wanted", "")
	t := &table{begun: time.Now()}
	failed := t.measure(ctx, s, *only)
	if *write {
		if err := t.write(filepath.Join("scripts", "bench", "results.gen.md")); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d measures failed", failed)
	}
	return nil
}

// measure takes the measures with only in their name, prints each, and returns how many failed.
func (t *table) measure(ctx context.Context, s stack, only string) (failed int) {
	for _, m := range measures() {
		if !strings.Contains(m.name, only) {
			continue
		}
		r, err := m.run(ctx, s)
		t.add(m.name, r, err)
		if err != nil {
			failed++
			fmt.Printf("%-28s failed: %v\n", m.name, err)
			continue
		}
		fmt.Printf("%-28s %-26s %-26s %-8s %-22s %s %s\n", m.name, r.Ours, r.Limit, r.Ratio, r.Wanted, r.verdict(nil), r.Note)
	}
	return failed
}

// openStack reads a running stack's addresses, or starts one in a folder that is removed at the end.
func openStack(ctx context.Context, file string) (stack, func(), error) {
	if file != "" {
		s, err := readStack(file)
		return s, func() {}, err
	}
	dir, err := embedded.TemporaryFolder("franchise360-bench-")
	if err != nil {
		return stack{}, nil, fmt.Errorf("make a folder: %w", err)
	}
	file = filepath.Join(dir, "stack.json")
	cmd := exec.CommandContext(ctx, "go", "run", "./scripts/devstack", "-port", "0", "-data", dir, "-json", file)
	// As in production, the stack logs at info and records no traces; this is not its terminal.
	cmd.Env = append(os.Environ(), "LOG_LEVEL=info", "OTEL_SDK_DISABLED=true")
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = time.Minute
	if err := cmd.Start(); err != nil {
		return stack{}, nil, fmt.Errorf("start the stack: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its output tells how it ended
		close(ended)
	}()
	end := func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(time.Minute):
			_ = cmd.Process.Kill()
		}
		_ = os.RemoveAll(dir)
	}
	for {
		select {
		case <-ended:
			return stack{}, nil, errors.New("the stack ended before it answered")
		case <-ctx.Done():
			end()
			return stack{}, nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
		if s, err := readStack(file); err == nil {
			return s, end, nil
		}
	}
}

func readStack(file string) (stack, error) {
	var s stack
	text, err := os.ReadFile(file)
	if err != nil {
		return s, fmt.Errorf("read the stack's addresses: %w", err)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("read the stack's addresses: %w", err)
	}
	if s.Site == "" || s.OwnerURL == "" {
		return s, errors.New("the stack's addresses are incomplete")
	}
	return s, nil
}
