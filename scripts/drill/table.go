package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/report"
)

const (
	warmUp = 2 * time.Second
	// calm is how long the buyers continue after a strike, to reveal its after-effects.
	calm = 5 * time.Second
)

// row is the outcome of one fault.
type row struct {
	fault
	verdict

	struck           int
	recovery         time.Duration
	errors, requests int
	kinds            map[string]int // of the errors
	longest, slowest time.Duration  // wait for an answer, for a confirmation
	unread           time.Duration  // the longest time without reads
	alerts           []string       // Prometheus's
	quit             int
}

// try lets people buy while the fault strikes, and counts once everything has settled.
func (f *form) try(ctx context.Context, one fault, buyers int) (row, error) {
	r := row{fault: one, kinds: map[string]int{}}
	f.note("=== %s", one.name)
	_, _ = fmt.Fprintln(os.Stderr, time.Now().Format("15:04:05"), one.name)
	if one.prepare != nil {
		if err := one.prepare(ctx, f); err != nil {
			return r, fmt.Errorf("prepare: %w", err)
		}
	}
	begun := time.Now()
	before, err := f.captured(ctx)
	if err != nil {
		return r, err
	}
	read, err := f.startReaders(ctx)
	if err != nil {
		return r, err
	}
	l := f.start(ctx, buyers, slices.Contains(one.justified, noCode))
	f.load = l
	var failed error
	var over []time.Time
	if failed = pause(ctx, warmUp); failed == nil {
		for n := range one.times {
			if failed = one.strike(ctx, f, n); failed != nil {
				break
			}
			r.struck++
			over = append(over, time.Now())
			f.note("over")
			if failed = pause(ctx, max(calm, one.calm)); failed != nil {
				break
			}
			if one.mend == nil {
				continue
			}
			if failed = one.mend(ctx, f); failed != nil {
				break
			}
		}
	}
	if failed != nil {
		failed = fmt.Errorf("%s: %w", one.name, failed)
		f.note("%v", failed)
		_ = f.restore(ctx) // a failed strike may have left something broken
	}
	r.unread = read.end()
	l.end()
	r.measure(l, over)
	v, err := f.count(ctx, before)
	if err != nil {
		return r, err
	}
	v.problems, v.resent = append(v.problems, f.inspect(ctx)...), f.repeatedTexts(ctx, l.paid)
	if one.check != nil && failed == nil {
		wrong, err := one.check(ctx, f)
		if err != nil {
			return r, fmt.Errorf("check: %w", err)
		}
		v.problems = append(v.problems, wrong...)
	}
	f.jobsOf(ctx, v.problems)
	r.alerts = f.alerts(ctx, time.Since(begun))
	r.verdict = v
	return r, failed
}

// measure evaluates the buyers' results. Recovery lasts from the end of a strike to the last error before the next one.
func (r *row) measure(l *load, over []time.Time) {
	r.requests, r.quit = len(l.heard), l.quit
	for _, a := range l.heard {
		r.longest = max(r.longest, a.took)
		if a.failed == "" {
			continue
		}
		r.errors++
		r.kinds[a.failed]++
		for i, end := range over {
			next := end.Add(max(calm, r.calm))
			if i+1 == len(over) && r.mend == nil {
				next = a.at.Add(time.Second)
			}
			if a.at.After(end) && a.at.Before(next) {
				r.recovery = max(r.recovery, a.at.Sub(end))
			}
		}
	}
	for _, p := range l.paid {
		r.slowest = max(r.slowest, p.confirmed)
	}
}

// good reports whether nothing was lost or duplicated and, unless the faulty part exists only once, no error occurred that is not
// justified.
func (r *row) good() bool {
	unjustified := r.errors
	for _, status := range r.justified {
		unjustified -= r.kinds[status]
	}
	if r.within > 0 && r.recovery > r.within || r.reads > 0 && r.unread > r.reads {
		return false
	}
	if r.resent > 0 && (!r.resends || r.resent > r.struck) {
		return false
	}
	return r.lost == 0 && r.doubled == 0 && len(r.problems) == 0 && r.quit == 0 && (r.ends || unjustified == 0)
}

// table is the result of a run.
type table struct {
	begun  time.Time
	buyers int
	busy   float64 // the highest load average
	rows   []row
}

func newTable(buyers int) *table {
	t := &table{begun: time.Now(), buyers: buyers}
	fmt.Print(header) //nolint:forbidigo // printing the table is the program's purpose
	return t
}

const header = "| fault | × | bought | lost | doubled | recovery | reads away | client errors / requests | longest wait | slowest activation | alerts |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|\n"

func (t *table) add(r row) {
	t.rows = append(t.rows, r)
	t.busy = max(t.busy, report.LoadAverage())
	fmt.Print(r.line()) //nolint:forbidigo // as above
	for _, p := range r.remarks() {
		_, _ = fmt.Fprintln(os.Stderr, "  ", r.name+":", p)
	}
}

func (t *table) good() bool {
	for _, r := range t.rows {
		if !r.good() {
			return false
		}
	}
	return true
}

// remarks returns the problems and the number of texts sent again, which have no column.
func (r *row) remarks() []string {
	if r.resent == 0 {
		return r.problems
	}
	return append(slices.Clip(r.problems), fmt.Sprintf("%d texts sent again", r.resent))
}

func (r *row) line() string {
	var kinds []string
	for _, kind := range sorted(r.kinds) {
		kinds = append(kinds, fmt.Sprintf("%d×%s", r.kinds[kind], kind))
	}
	errors := "0"
	if r.errors > 0 {
		errors = strings.Join(kinds, ", ")
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %s | %s | %s / %d | %s | %s | %s |\n",
		r.name, r.struck, r.bought, r.lost, r.doubled, seconds(r.recovery), seconds(r.unread), errors, r.requests, seconds(r.longest), seconds(r.slowest),
		strings.Join(r.alerts, ", "))
}

func seconds(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

const (
	beginMark = "<!-- the table of the last run; make faults writes it -->\n"
)

// write inserts the table, with date and machine, between the markers in the file.
func (t *table) write(path string) error {
	var body strings.Builder
	fmt.Fprintf(&body, "\n%s, %s, %d cores with a load average of up to %.0f, %d buyers side by side.\n\n%s",
		t.begun.Format("2 January 2006"), machine(), runtime.NumCPU(), t.busy, t.buyers, header)
	for _, r := range t.rows {
		body.WriteString(r.line())
	}
	for _, r := range t.rows {
		for _, p := range r.remarks() {
			fmt.Fprintf(&body, "\n- %s: %s", r.name, p)
		}
	}
	body.WriteString("\n")
	return report.Insert(path, beginMark, body.String())
}

// machine returns the processor's name on Linux.
func machine() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // Linux only
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}
