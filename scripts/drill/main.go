// Command drill breaks the production form on this machine, part by part, while customers buy, and counts the outcome: the gateway's
// captures against orders, ledger, invoices and documents, and the buyers' experience. results.gen.md has the table of the last run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/franchise360/franchise360/scripts/embedded"
	"github.com/franchise360/franchise360/scripts/stack"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "drill:", err)
		os.Exit(1)
	}
}

type options struct {
	buyers int
	only   *regexp.Regexp
	write  bool
	keep   bool
	// cluster breaks the cluster instead.
	cluster bool
}

func parseOptions() (o options, err error) {
	flag.IntVar(&o.buyers, "buyers", 5, "how many people buy side by side")
	only := flag.String("only", "", "regular expression of the faults to try; empty tries all")
	flag.BoolVar(&o.write, "write", false, "put the table into scripts/drill/results.gen.md")
	flag.BoolVar(&o.keep, "keep", false, "keep the data and the log")
	flag.BoolVar(&o.cluster, "cluster", false, "break the cluster of docker-compose.cluster.yml, and write cluster.gen.md")
	flag.Parse()
	if o.buyers < 1 || flag.NArg() > 0 {
		return o, errors.New("want at least one buyer and no arguments")
	}
	if o.only, err = regexp.Compile(*only); err != nil {
		return o, fmt.Errorf("-only: %w", err)
	}
	return o, nil
}

func run(ctx context.Context) (err error) {
	o, err := parseOptions()
	if err != nil {
		return err
	}
	repository, err := stack.FindRepository()
	if err != nil {
		return err
	}
	t, all, option := newTable(o.buyers), faults(), "-breakable"
	if o.cluster {
		all, option = clusterFaults(), "-cluster"
	}
	for _, clocks := range []bool{false, true} {
		list := o.chosen(all, clocks)
		if len(list) == 0 || ctx.Err() != nil {
			continue
		}
		err = errors.Join(err, o.drill(ctx, repository, []string{option}, list, t))
	}
	return err
}

// chosen returns the faults that the options name, those that move clocks or the others.
func (o options) chosen(all []fault, clocks bool) (list []fault) {
	for _, one := range all {
		if one.clock == clocks && o.only.MatchString(one.name) {
			list = append(list, one)
		}
	}
	return list
}

// drill runs the faults in a separate production form, and removes the form if all was well.
func (o options) drill(ctx context.Context, repository string, further []string, list []fault, t *table) error {
	folder, err := embedded.TemporaryFolder("franchise360-drill-")
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	_, _ = fmt.Fprintln(os.Stderr, "Starting the production form; log:", log.Name())
	unmount, err := smallDisks(filepath.Join(folder, "data"), o.disks())
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "The disk of Postgres is not filled:", err)
	}
	if list[0].clock {
		options, err := clockOptions(folder)
		if err != nil {
			return errors.Join(err, unmount())
		}
		further = append(further, options...)
	}
	f, err := launch(ctx, repository, folder, log, further...)
	if err != nil {
		return errors.Join(err, unmount())
	}
	failed := f.drill(ctx, o, list, t)
	f.end()
	f.endStandby()
	err = errors.Join(failed, unmount(), log.Close())
	if err == nil && !o.keep && t.good() {
		return os.RemoveAll(folder)
	}
	if err == nil && !t.good() {
		err = fmt.Errorf("not all was well; the log is %s", log.Name())
	}
	return err
}

// disks lists the parts whose disk may be filled.
func (o options) disks() []string {
	if o.cluster {
		return []string{"database-1", "database-2", "database-3"}
	}
	return []string{"postgres"}
}

// results returns the file of the table.
func (o options) results() string {
	if o.cluster {
		return "cluster.gen.md"
	}
	return "results.gen.md"
}

// drill runs the faults in turn and prints the row of each.
func (f *form) drill(ctx context.Context, o options, list []fault, t *table) error {
	for _, one := range list {
		r, err := f.try(ctx, one, o.buyers)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.problems = append(r.problems, err.Error())
		}
		t.add(r)
		if o.write { // after each row, as the run is long
			if err := t.write(filepath.Join(f.repository, "scripts", "drill", o.results())); err != nil {
				return err
			}
		}
	}
	return nil
}
