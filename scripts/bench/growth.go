package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/embedded"
	"github.com/franchise360/franchise360/scripts/report"
)

// growth says what to measure at which number of customers, and where its database is.
type growth struct {
	customers int
	only      string // measures the stages with this in their name
	folder    string // of the cluster; empty makes one and removes it at the end
	keep      bool   // leaves a stage's database for the next run, which measures it without filling it
}

const (
	// growthStep is how many rows one statement inserts, and growthLoaders how many do so at once.
	growthStep    = 1_000_000
	growthLoaders = 3
)

// growthStage is a table as large as all customers make it, and what reads it. The stages follow each other, each in a database of
// its own that is dropped before the next one, because all tables together do not fit on the disk of a small machine.
type growthStage struct {
	name, table string
	// fill inserts the rows of customers %[1]d to %[2]d.
	fill string
	// without are the table's indexes that nothing measured here reads, which are not built.
	without []string
	// before are statements to run before the table is filled; beside are those that fill smaller tables for customers up to %[1]d.
	before, beside []string
	measure        func(ctx context.Context, g growth, x *scratch, r *readings) error
}

func growthStages() []growthStage {
	return []growthStage{subscriptionsStage(), peopleStage(), paymentsStage(), figuresStage()}
}

// readings are one stage's measurements, as lines of a table.
type readings struct{ out io.Writer }

// samples calls fn with 0, 1, … for half a minute, or most times, and prints how long the calls took, in milliseconds.
func (r *readings) samples(name string, most int, fn func(n int) error) error {
	took := make([]time.Duration, 0, most)
	for begun := time.Now(); len(took) < most && (len(took) == 0 || time.Since(begun) < 30*time.Second); {
		one, err := timed(func() error { return fn(len(took)) })
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		took = append(took, one)
	}
	slices.Sort(took)
	r.row(name, took)
	return nil
}

// row prints a line of the table.
func (r *readings) row(name string, took []time.Duration) {
	fmt.Fprintf(r.out, "| %s | %d | %.1f | %.1f | %.1f |\n", name, len(took), ms(quantile(took, 0.5)), ms(quantile(took, 0.95)), ms(quantile(took, 1)))
}

// measureGrowth fills and measures the stages. Nothing is durable while a table is filled; the server is restarted with its usual
// durability before the measurements.
func measureGrowth(ctx context.Context, g growth) (ended error) {
	repository, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the repository: %w", err)
	}
	if err := embedded.Install(ctx, repository); err != nil {
		return err
	}
	if g.folder == "" {
		if g.folder, err = embedded.TemporaryFolder("franchise360-growth-"); err != nil {
			return err
		}
		defer func() { ended = errors.Join(ended, os.RemoveAll(g.folder)) }()
	}
	config := embedded.PostgresConfig{Repository: repository, Data: filepath.Join(g.folder, "postgres"), Log: os.Stderr}
	for _, s := range growthStages() {
		if !strings.Contains(s.name, g.only) {
			continue
		}
		if err := s.run(ctx, g, config); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// growthSettings are the server's; the machine's memory is expected to be some 8 GB or more.
func growthSettings(filling bool) map[string]string {
	settings := map[string]string{"shared_buffers": "2GB", "effective_cache_size": "8GB", "max_wal_size": "1GB"}
	if filling {
		maps.Copy(settings, map[string]string{
			"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "wal_level": "minimal", "max_wal_senders": "0",
			"autovacuum": "off", "maintenance_work_mem": "1500MB", "max_wal_size": "4GB", "checkpoint_timeout": "1h",
		})
	}
	return settings
}

func (s growthStage) database() string { return "growth_" + s.name }

func (s growthStage) run(ctx context.Context, g growth, config embedded.PostgresConfig) error {
	config.Settings = growthSettings(true)
	err := withPostgres(ctx, config, func(owner string) error { return s.make(ctx, g, owner) })
	if err != nil {
		return err
	}
	config.Settings = growthSettings(false)
	return withPostgres(ctx, config, func(owner string) error {
		x := &scratch{}
		defer x.close()
		if err := x.open(ctx, owner, s.database()); err != nil {
			return err
		}
		if _, err := x.Owner.ExecContext(ctx, "CHECKPOINT"); err != nil {
			return fmt.Errorf("write a checkpoint: %w", err)
		}
		r := &readings{out: os.Stdout}
		fmt.Printf("\n%s, %d customers, load average %.0f; milliseconds, one caller\n\n", s.name, g.customers, report.LoadAverage())
		fmt.Printf("| what | calls | p50 | p95 | slowest |\n|---|---|---|---|---|\n")
		if err := s.measure(ctx, g, x, r); err != nil {
			return err
		}
		if err := s.maintain(ctx, x, r); err != nil {
			return err
		}
		fmt.Printf("\nload average at the end %.0f\n", report.LoadAverage())
		if g.keep {
			return nil
		}
		x.close()
		return s.drop(ctx, owner)
	})
}

// drop makes room for the next stage.
func (s growthStage) drop(ctx context.Context, owner string) error {
	admin, err := postgres.Open(ctx, owner, 1)
	if err != nil {
		return err
	}
	defer func() { _ = admin.Close() }()
	if _, err := admin.ExecContext(ctx, "DROP DATABASE "+s.database()+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop the database: %w", err)
	}
	return nil
}

func withPostgres(ctx context.Context, config embedded.PostgresConfig, fn func(owner string) error) (ended error) {
	server, err := embedded.StartPostgres(ctx, config)
	if err != nil {
		return err
	}
	defer func() { ended = errors.Join(ended, server.Stop()) }()
	return fn(server.SuperuserURL("postgres"))
}

// make fills the stage's database, unless a run before kept it, filled with as many.
func (s growthStage) make(ctx context.Context, g growth, owner string) error {
	admin, err := postgres.Open(ctx, owner, 1)
	if err != nil {
		return err
	}
	defer func() { _ = admin.Close() }()
	var filled bool
	err = admin.GetContext(ctx, &filled, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1
		AND shobj_description(oid, 'pg_database') = $2)`, s.database(), strconv.Itoa(g.customers))
	if err != nil || filled {
		return err
	}
	for _, stmt := range []string{"DROP DATABASE IF EXISTS " + s.database(), "CREATE DATABASE " + s.database()} {
		if _, err := admin.ExecContext(ctx, stmt); err != nil {
			return fmt.Errorf("make a database: %w", err)
		}
	}
	x := &scratch{}
	defer x.close()
	if err := x.open(ctx, owner, s.database()); err != nil {
		return err
	}
	begun := time.Now()
	if err := s.load(ctx, g, x); err != nil {
		return err
	}
	fmt.Printf("%s: filled with %d rows in %s\n", s.name, g.customers, time.Since(begun).Round(time.Second))
	_, err = admin.ExecContext(ctx, "COMMENT ON DATABASE "+s.database()+" IS '"+strconv.Itoa(g.customers)+"'")
	return err
}

// load inserts the rows with the table's constraints and indexes taken off, and builds these afterwards: one by one, an index of
// random ids would be read from disk for each row.
func (s growthStage) load(ctx context.Context, g growth, x *scratch) error {
	for _, stmt := range s.before {
		if _, err := x.Owner.ExecContext(ctx, stmt); err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
	}
	drop, build, err := x.definitions(ctx, s.table, s.without)
	if err != nil {
		return err
	}
	for _, stmt := range drop {
		if _, err := x.Owner.ExecContext(ctx, stmt); err != nil {
			return fmt.Errorf("take off an index: %w", err)
		}
	}
	var next atomic.Int64
	loaders, ctx2 := errgroup.WithContext(ctx)
	for range growthLoaders {
		loaders.Go(func() error {
			for {
				from := int(next.Add(growthStep)) - growthStep
				if from >= g.customers {
					return nil
				}
				if err := x.insert(ctx2, fmt.Sprintf(s.fill, from, min(from+growthStep, g.customers)-1)); err != nil {
					return err
				}
			}
		})
	}
	if err := loaders.Wait(); err != nil {
		return err
	}
	for _, stmt := range s.beside {
		if err := x.insert(ctx, fmt.Sprintf(stmt, g.customers-1)); err != nil {
			return err
		}
	}
	for _, stmt := range append(build, "VACUUM (ANALYZE)") {
		if _, err := x.Owner.ExecContext(ctx, stmt); err != nil {
			return fmt.Errorf("build an index: %w", err)
		}
	}
	return nil
}

// insert runs a statement without triggers and foreign keys.
func (x *scratch) insert(ctx context.Context, stmt string) error {
	tx, err := x.Owner.BeginTxx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	for _, one := range []string{"SET LOCAL session_replication_role = replica", stmt} {
		if _, err := tx.ExecContext(ctx, one); err != nil {
			return fmt.Errorf("fill: %w", err)
		}
	}
	return tx.Commit()
}

const constraintsSQL = `
	SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
		format('ALTER TABLE %s ADD CONSTRAINT %I %s%s', conrelid::regclass, conname, pg_get_constraintdef(oid),
			CASE WHEN contype IN ('c', 'f') AND pg_get_constraintdef(oid) NOT LIKE '%NOT VALID' THEN ' NOT VALID' ELSE '' END) AS build
	FROM pg_constraint WHERE contype IN ('p', 'u', 'c', 'f') AND (conrelid = $1::regclass OR confrelid = $1::regclass)
	ORDER BY array_position(ARRAY['p', 'u', 'c', 'f'], contype::text), conname`

const indexesSQL = `
	SELECT format('DROP INDEX %I', indexname) AS drop, CASE WHEN indexname = ANY (string_to_array($2, ',')) THEN '' ELSE indexdef END AS build
	FROM pg_indexes i WHERE tablename = $1
		AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conname = i.indexname AND c.conrelid = $1::regclass)`

// definitions returns the statements that take the constraints and indexes off a table, and those that build them again: keys, then
// checks and foreign keys, which look at new rows only, then the other indexes.
func (x *scratch) definitions(ctx context.Context, table string, without []string) (drop, build []string, err error) {
	var constraints, indexes []struct {
		Drop  string `db:"drop"`
		Build string `db:"build"`
	}
	if err := x.Owner.SelectContext(ctx, &constraints, constraintsSQL, table); err != nil {
		return nil, nil, fmt.Errorf("read the constraints: %w", err)
	}
	if err := x.Owner.SelectContext(ctx, &indexes, indexesSQL, table, strings.Join(without, ",")); err != nil {
		return nil, nil, fmt.Errorf("read the indexes: %w", err)
	}
	for _, c := range slices.Backward(constraints) { // foreign keys before the keys that they need
		drop = append(drop, c.Drop)
	}
	for _, c := range constraints {
		build = append(build, c.Build)
	}
	for _, i := range indexes {
		drop = append(drop, i.Drop)
		if i.Build != "" {
			build = append(build, i.Build)
		}
	}
	return drop, build, nil
}

const sizesSQL = `
	SELECT c.relname AS name, pg_size_pretty(pg_relation_size(c.oid)) AS size FROM pg_class c
	WHERE c.oid = $1::regclass OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = $1::regclass)
	ORDER BY c.relkind DESC, pg_relation_size(c.oid) DESC`

// maintain times the maintenance of the whole table, each operation once, and prints the table's size.
func (s growthStage) maintain(ctx context.Context, x *scratch, r *readings) error {
	for _, stmt := range []string{"VACUUM " + s.table, "ANALYZE " + s.table} {
		err := r.samples("`"+stmt+"`", 1, func(int) error {
			_, err := x.Owner.ExecContext(ctx, stmt)
			return err
		})
		if err != nil {
			return err
		}
	}
	var sizes []struct {
		Name string `db:"name"`
		Size string `db:"size"`
	}
	if err := x.Owner.SelectContext(ctx, &sizes, sizesSQL, s.table); err != nil {
		return fmt.Errorf("read the sizes: %w", err)
	}
	fmt.Println()
	for _, one := range sizes {
		fmt.Printf("%s %s\n", one.Name, one.Size)
	}
	return nil
}
