package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const (
	// prefix begins the names of all databases of the time machine.
	prefix = "timemachine_"
	// dropWithin is the time for dropping a database after its run: Postgres writes a checkpoint first, which takes long on a busy disk. A
	// remaining database stays until the program restarts.
	dropWithin = 2 * time.Minute
	poolSize   = 4
)

// server is the Postgres on which scratch databases are made, one after the other, and the migrated database that they are copies of.
type server struct {
	admin    *sqlx.DB
	dsn      string
	owned    string // the prefix of its databases' names
	template string // empty until the first run
}

// openServer connects as a superuser. owner is part of the names of the databases, so that several programs can share a server.
func openServer(ctx context.Context, dsn, owner string) (*server, error) {
	admin, err := postgres.Open(ctx, dsn, 2)
	if err != nil {
		return nil, err
	}
	return &server{admin: admin, dsn: dsn, owned: prefix + owner + "_"}, nil
}

// prepare drops an earlier process's databases and migrates the template, once.
func (s *server) prepare(ctx context.Context) error {
	if s.template != "" {
		return nil
	}
	var left []string
	if err := s.admin.SelectContext(ctx, &left, `SELECT datname FROM pg_database WHERE starts_with(datname, $1)`, s.owned); err != nil {
		return fmt.Errorf("list databases: %w", err)
	}
	for _, name := range left {
		if err := s.drop(ctx, name); err != nil {
			return err
		}
	}
	name := s.owned + "template"
	if _, err := s.admin.ExecContext(ctx, `CREATE DATABASE `+pq.QuoteIdentifier(name)); err != nil {
		return fmt.Errorf("create the template: %w", err)
	}
	if err := migrations.Apply(ctx, s.named(name, "")); err != nil {
		return err
	}
	s.template = name
	return nil
}

// close drops the template, also after the context has ended.
func (s *server) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropWithin)
	defer cancel()
	return errors.Join(s.drop(ctx, s.owned+"template"), s.admin.Close())
}

func (s *server) drop(ctx context.Context, name string) error {
	drop := `DROP DATABASE IF EXISTS ` + pq.QuoteIdentifier(name) + ` WITH (FORCE)`
	if _, err := s.admin.ExecContext(ctx, drop); err != nil { //nolint:gosec // a name of ours, quoted
		return fmt.Errorf("drop a scratch database: %w", err)
	}
	return nil
}

// named returns the address of a database of the server, with a role's rights if it names one. A run does not have to survive a crash.
func (s *server) named(database, role string) string {
	u, err := url.Parse(s.dsn)
	if err != nil {
		return s.dsn
	}
	u.Path = "/" + database
	q := u.Query()
	options := "-c synchronous_commit=off"
	if role != "" {
		options += " -c role=" + role
	}
	q.Set("options", options)
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20")
	return u.String()
}

// scratch is a database of one run, with the rights of each process.
type scratch struct{ owner, api, worker *sqlx.DB }

// scratch makes a database; drop ends its connections and removes it, also after the context has ended.
func (s *server) scratch(ctx context.Context) (db scratch, drop func() error, err error) {
	if err := s.prepare(ctx); err != nil {
		return db, nil, err
	}
	name := s.owned + strings.ReplaceAll(id.New(), "-", "")
	var pools []*sqlx.DB
	drop = func() error {
		var all error
		for _, pool := range pools {
			all = errors.Join(all, pool.Close())
		}
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropWithin)
		defer cancel()
		return errors.Join(all, s.drop(after, name))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, drop())
		}
	}()
	create := `CREATE DATABASE ` + pq.QuoteIdentifier(name) + ` TEMPLATE ` + pq.QuoteIdentifier(s.template) + ` STRATEGY file_copy`
	if _, err := s.admin.ExecContext(ctx, create); err != nil {
		return db, drop, fmt.Errorf("create a scratch database: %w", err)
	}
	for role, into := range map[string]**sqlx.DB{"": &db.owner, "franchise360_api": &db.api, "franchise360_worker": &db.worker} {
		pool, err := postgres.Open(ctx, s.named(name, role), poolSize)
		if err != nil {
			return db, drop, err
		}
		*into = pool
		pools = append(pools, pool)
	}
	return db, drop, nil
}
