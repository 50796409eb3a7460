package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit/world"
	"github.com/franchise360/franchise360/scripts/embedded"
)

const poolSize = 12

// openDatabase starts a throw-away cluster, migrates a database in it and opens it with each process's rights. stop ends all of
// that and removes the files.
func openDatabase(ctx context.Context) (db world.Databases, stop func() error, err error) {
	var undo []func() error
	stop = func() error {
		var all error
		for _, end := range slices.Backward(undo) {
			all = errors.Join(all, end())
		}
		return all
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, stop())
		}
	}()
	repository, err := os.Getwd()
	if err != nil {
		return db, stop, fmt.Errorf("find the repository: %w", err)
	}
	if err := embedded.Install(ctx, repository); err != nil {
		return db, stop, err
	}
	folder, err := embedded.TemporaryFolder("franchise360-simulate-")
	if err != nil {
		return db, stop, err
	}
	undo = append(undo, func() error { return os.RemoveAll(folder) })
	server, err := embedded.StartPostgres(ctx, embedded.PostgresConfig{
		Repository: repository, Data: filepath.Join(folder, "data"), Throwaway: true, Log: io.Discard,
	})
	if err != nil {
		return db, stop, err
	}
	undo = append(undo, server.Stop)
	owner := server.SuperuserURL("postgres")
	if err := migrations.Apply(ctx, owner); err != nil {
		return db, stop, err
	}
	for role, into := range map[string]**sqlx.DB{"": &db.Owner, "franchise360_api": &db.API, "franchise360_worker": &db.Worker} {
		pool, err := openAs(ctx, owner, role)
		if err != nil {
			return db, stop, err
		}
		*into = pool
		undo = append(undo, pool.Close)
	}
	return db, stop, nil
}

// openAs opens the owner's database with a role's rights, which the server sets for the session.
func openAs(ctx context.Context, owner, role string) (*sqlx.DB, error) {
	address, err := url.Parse(owner)
	if err != nil {
		return nil, fmt.Errorf("read database address: %w", err)
	}
	if role != "" {
		q := address.Query()
		q.Set("options", "-c role="+role)
		address.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20")
	}
	return postgres.Open(ctx, address.String(), poolSize)
}
