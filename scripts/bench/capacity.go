package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// capacity says for how many customers the machines have to suffice.
type capacity struct {
	customers, years int
	// peak is how many times the mean of the year the busiest hour has.
	peak float64
	// prices is the operator's file of prices a month, or "".
	prices string
}

// event is what one customer causes in a year. It costs the processors of the measured machine, with Postgres and the load generator,
// divided by the rate in the row of the last run's table.
type event struct {
	row     string
	perYear float64
	worker  bool // whether a worker does it
}

func events() []event {
	return []event{
		{row: "plan list", perYear: 50},
		{row: "dashboard", perYear: 150},
		{row: "list of 50 orders", perYear: 50},
		{row: "login", perYear: 40},
		{row: "payment request", perYear: 8},
		{row: "invoice PDF", perYear: 8, worker: true},
		{row: "no-op jobs", perYear: 300, worker: true},
		{row: "sweep of due rows", perYear: 400, worker: true},
	}
}

// What the machines of one size can do, and what a customer keeps.
const (
	secondsOfYear = 365 * 24 * 3600
	// busyShare is how much of a processor is planned for.
	busyShare = 0.6
	// coresOfProcess is how many cores one api or worker uses, connectionsOfAPI and connectionsOfWorker what it opens to Postgres.
	coresOfProcess, connectionsOfAPI, connectionsOfWorker = 4, 20, 24
	// keptPerYear is what a customer adds to Postgres in a year: measured, 45 MB for a thousand.
	keptPerYear = 45_000
	// documentsPerYear and documentBytes are its invoices and credit notes in the object store.
	documentsPerYear, documentBytes = 14, 19_000
	// numbersASecond is how many documents a second one series numbers with a synchronous standby (5 ms for a commit).
	numbersASecond = 200
	// callsOfRenewal is how many calls to a gateway a notice and a debit need, callsASecond how many it takes; debits end by 10:00.
	callsOfRenewal, callsASecond, debitHours = 6, 50, 10
	// restoreRate is how many bytes a second a restore writes, restoreHours how long it may take.
	restoreRate, restoreHours = 100e6, 4
	reservedConnections       = 132
	gigabyte                  = 1e9
)

// need is one resource: what is needed, what the form of one machine has, and what to change beyond.
type need struct {
	what         string
	needed, have float64
	unit, change string
}

func (n need) used() float64 { return n.needed / n.have }

// measured has the cores of the last run's machine, and the rate of each row.
type measured struct {
	cores float64
	rates map[string]float64
}

var (
	coresOfRun = regexp.MustCompile(`(?m)^.*, (\d+) cores with`)
	rateOfRow  = regexp.MustCompile(`(?m)^\| ([^|]+?) \| (\d+)/s`)
)

func readMeasured(table string) (measured, error) {
	m := measured{rates: map[string]float64{}}
	cores := coresOfRun.FindStringSubmatch(table)
	if cores == nil {
		return m, errors.New("the table does not name the cores of its machine")
	}
	m.cores, _ = strconv.ParseFloat(cores[1], 64) // digits
	for _, row := range rateOfRow.FindAllStringSubmatch(table, -1) {
		m.rates[row[1]], _ = strconv.ParseFloat(row[2], 64) // digits
	}
	for _, e := range events() {
		if m.rates[e.row] == 0 {
			return m, fmt.Errorf("the table has no rate for %q", e.row)
		}
	}
	return m, nil
}

// machines are the processes and the data that the customers need.
type machines struct {
	apiCores, workerCores, api, worker, postgresBytes, objectBytes float64
}

func (c capacity) machines(m measured) machines {
	var n machines
	for _, e := range events() {
		cores := float64(c.customers) * e.perYear / secondsOfYear * c.peak * m.cores / m.rates[e.row] / busyShare
		if e.worker {
			n.workerCores += cores
		} else {
			n.apiCores += cores
		}
	}
	n.api, n.worker = max(2, math.Ceil(n.apiCores/coresOfProcess)), max(2, math.Ceil(n.workerCores/coresOfProcess))
	n.postgresBytes = float64(c.customers*c.years) * keptPerYear
	n.objectBytes = float64(c.customers*c.years) * documentsPerYear * documentBytes
	return n
}

// needs returns the resources, the scarcest first.
func (c capacity) needs(n machines) []need {
	peakDocuments := float64(c.customers) * documentsPerYear / secondsOfYear * c.peak
	renewals := float64(c.customers) / 30 // all pay monthly
	list := []need{
		{"processors of api", n.apiCores, 8, "cores", "more api processes"},
		{"processors of worker", n.workerCores, 8, "cores", "more worker processes"},
		{"connections to Postgres", (n.api+1)*connectionsOfAPI + (n.worker+1)*connectionsOfWorker, reservedConnections, "", "PgBouncer"},
		{"data in Postgres", n.postgresBytes / gigabyte, 500, "GB", "a machine of its own; physical backups"},
		{"restore", n.postgresBytes / restoreRate / 3600, restoreHours, "hours", "a standby; physical backups"},
		{"numbers of documents", peakDocuments, numbersASecond, "a second", "several number series"},
		{"renewals by mandate", renewals * callsOfRenewal / callsASecond / 3600, debitHours, "hours a day", "a higher rate at the gateway"},
	}
	slices.SortFunc(list, func(a, b need) int { return cmp.Compare(b.used(), a.used()) })
	return list
}

// report writes the needs, and the cost of a month at each price list.
func (c capacity) report(out io.Writer, m measured) error {
	n := c.machines(m)
	fmt.Fprintf(out, "%d customers, %d years, busiest hour %g times the mean; costs measured on %g cores.\n\n", c.customers, c.years, c.peak, m.cores)
	fmt.Fprintf(out, "%-26s %14s %14s %6s  %s\n", "what, scarcest first", "needed", "one machine", "used", "beyond it")
	for _, one := range c.needs(n) {
		fmt.Fprintf(out, "%-26s %14s %14.0f %5.0f%%  %s\n", one.what, strings.TrimSpace(fmt.Sprintf("%.1f %s", one.needed, one.unit)), one.have, 100*one.used(), one.change)
	}
	fmt.Fprintf(out, "\n%.0f api and %.0f worker processes of %d cores; Postgres %.0f GB, object store %.0f GB.\n",
		n.api, n.worker, coresOfProcess, n.postgresBytes/gigabyte, n.objectBytes/gigabyte)
	if c.prices == "" {
		return nil
	}
	file, err := os.Open(c.prices)
	if err != nil {
		return fmt.Errorf("-prices: %w", err)
	}
	defer func() { _ = file.Close() }()
	return n.cost(out, file)
}

// postgresShare is how many of the api's and worker's cores Postgres uses of its own machine, memoryOfCore its gigabytes for each, and
// copies how often the data is kept.
const postgresShare, memoryOfCore, copies = 0.5, 4, 2

// cost reads a price list with the columns name, core, GB of memory, GB of disk and GB of object store, all for a month, and writes the sums.
func (n machines) cost(out io.Writer, prices io.Reader) error {
	rows, err := csv.NewReader(prices).ReadAll()
	if err != nil {
		return fmt.Errorf("-prices: %w", err)
	}
	if len(rows) < 2 || strings.Join(rows[0], ",") != "name,core,memory,disk,objects" {
		return errors.New("-prices: the first line is name,core,memory,disk,objects; each other line is one provider's prices for a month")
	}
	cores := (n.api + n.worker) * coresOfProcess
	postgres := math.Max(2, math.Ceil(cores*postgresShare)) * copies
	for _, row := range rows[1:] {
		sum := 0.0
		for i, amount := range []float64{cores + postgres, (cores + postgres) * memoryOfCore, n.postgresBytes / gigabyte * copies, n.objectBytes / gigabyte} {
			price, err := strconv.ParseFloat(row[i+1], 64)
			if err != nil || price < 0 {
				return fmt.Errorf("-prices: %s: %q is no price", row[0], row[i+1])
			}
			sum += price * amount
		}
		fmt.Fprintf(out, "%s: %.0f a month\n", row[0], sum)
	}
	return nil
}

// tellCapacity reckons with the last run's table.
func tellCapacity(out io.Writer, c capacity) error {
	table, err := os.ReadFile(filepath.Join("scripts", "bench", "results.gen.md"))
	if err != nil {
		return fmt.Errorf("read the last run: %w", err)
	}
	m, err := readMeasured(string(table))
	if err != nil {
		return err
	}
	return c.report(out, m)
}
