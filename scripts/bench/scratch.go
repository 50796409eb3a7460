package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// scratch is a separate database in the stack's cluster with the product's schema and catalogue, for tables with millions of
// rows that must not disturb others.
type scratch struct {
	Owner, API, Worker *sqlx.DB
	WorkerDSN          string
	end                func()
}

func openScratch(ctx context.Context, s stack) (*scratch, error) {
	admin, err := postgres.Open(ctx, s.OwnerURL, 1)
	if err != nil {
		return nil, err
	}
	name := "bench_" + strings.ReplaceAll(id.New(), "-", "")
	if _, err := admin.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		_ = admin.Close()
		return nil, fmt.Errorf("create scratch database: %w", err)
	}
	x := &scratch{}
	x.end = func() { //nolint:contextcheck // also dropped after an interrupt
		x.close()
		_, _ = admin.ExecContext(context.Background(), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		_ = admin.Close()
	}
	if err := x.open(ctx, s.OwnerURL, name); err != nil {
		x.end()
		return nil, err
	}
	return x, nil
}

// close ends the connections; it may be called again.
func (x *scratch) close() {
	for _, db := range []*sqlx.DB{x.Owner, x.API, x.Worker} {
		if db != nil {
			_ = db.Close()
		}
	}
}

func (x *scratch) open(ctx context.Context, owner, name string) error {
	dsn, err := sessionURL(owner, name, "")
	if err != nil {
		return err
	}
	if err := migrations.Apply(ctx, dsn); err != nil {
		return err
	}
	if x.Owner, err = postgres.Open(ctx, dsn, connections); err != nil {
		return err
	}
	for role, into := range map[string]**sqlx.DB{"franchise360_api": &x.API, "franchise360_worker": &x.Worker} {
		if dsn, err = sessionURL(owner, name, role); err != nil {
			return err
		}
		if *into, err = postgres.Open(ctx, dsn, connections); err != nil {
			return err
		}
		if role == "franchise360_worker" {
			x.WorkerDSN = dsn
		}
	}
	_, err = plan.Load(ctx, x.Worker, clock.NewFake(time.Now()), plan.DefaultCatalogue())
	return err
}

// billing returns the product's billing service with the pool's rights. Its gateway and object store are never called.
func (x *scratch) billing(db *sqlx.DB, clk clock.Clock, logger *slog.Logger) (app.Billing, error) {
	jobs, err := queue.NewInserter(db, logger)
	if err != nil {
		return app.Billing{}, err
	}
	documents, err := objectstore.New(objectstore.Options{Endpoint: "http://127.0.0.1:1"})
	if err != nil {
		return app.Billing{}, err
	}
	return app.NewBilling(app.BillingParts{
		DB: db, Jobs: jobs, Clock: clk, Gateways: []app.Gateway{payu.New(payu.Config{})}, Documents: documents,
		Providers: app.Gateways().Providers(), Counts: payment.Uncounted{}, Logger: logger,
	}), nil
}

// sessionURL returns the address of another database of the cluster, for sessions with a role's rights.
func sessionURL(owner, name, role string) (string, error) {
	u, err := url.Parse(owner)
	if err != nil {
		return "", fmt.Errorf("read the database's address: %w", err)
	}
	u.Path = "/" + name
	q := u.Query()
	if q.Get("sslmode") == "" {
		q.Set("sslmode", "disable")
	}
	if role != "" {
		q.Set("options", "-c role="+role)
	}
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20") // pgx does not decode a plus as a space
	return u.String(), nil
}

// fill runs statements as the owner with triggers and foreign keys off, then analyses the tables and marks their pages
// all-visible, as autovacuum eventually would.
func (x *scratch) fill(ctx context.Context, statements ...string) error {
	conn, err := x.Owner.Connx(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close() }()
	for _, sql := range append([]string{"SET session_replication_role = replica"}, append(statements, "SET session_replication_role = origin", "VACUUM (ANALYZE)")...) {
		if _, err := conn.ExecContext(ctx, sql); err != nil {
			return fmt.Errorf("fill: %w", err)
		}
	}
	return nil
}
