package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/report"
)

// table is a run's measurements, in the order of its rows.
type table struct {
	begun time.Time
	busy  float64 // the highest load average
	rows  []string
}

const (
	header    = "| what | ours | limit | ratio | wanted | |\n|---|---|---|---|---|---|\n"
	beginMark = "<!-- the table of the last run; make bench writes it -->\n"
)

// add records a measure's row, or the reason for its absence.
func (t *table) add(name string, r result, err error) {
	t.busy = max(t.busy, report.LoadAverage())
	if err != nil {
		r = result{Note: "failed: " + err.Error()}
	}
	cell := strings.NewReplacer("|", "/", "\n", " ")
	cells := []string{name, r.Ours, r.Limit, r.Ratio, r.Wanted, strings.TrimSpace(r.verdict(err) + " " + r.Note)}
	for i, text := range cells {
		cells[i] = cell.Replace(text)
	}
	t.rows = append(t.rows, "| "+strings.Join(cells, " | ")+" |\n")
}

// verdict says whether the target is met; empty if the measure failed.
func (r result) verdict(err error) string {
	switch {
	case err != nil:
		return ""
	case r.Met:
		return "met"
	default:
		return "NOT MET"
	}
}

// write inserts the rows, with date and machine, between the markers in the file.
func (t *table) write(path string) error {
	body := fmt.Sprintf("\n%s, %d cores with a load average of up to %.0f.\n\n%s%s\n", t.begun.Format("2 January 2006"), runtime.NumCPU(), t.busy,
		header, strings.Join(t.rows, ""))
	return report.Insert(path, beginMark, body)
}
