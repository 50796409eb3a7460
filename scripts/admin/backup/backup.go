// Package backup writes the product's entire data, database and documents, to standard output as one file; `-into FOLDER` writes
// it to a file of a folder. `backup restore` reads such a file from standard input into an empty installation, and `backup note`
// notes that another program has made a backup. See README.md for usage.
package backup

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/scripts/admin/command"
	"github.com/franchise360/franchise360/scripts/admin/verifybooks"
)

// Command returns the command backup. It needs DATABASE_OWNER_URL for a superuser and S3 settings with permission to read, list
// and write; restore also needs WORKER_DATABASE_URL to verify the books.
func Command() command.Command {
	var o options
	return command.Command{
		Name: "backup",
		Flags: func(f *flag.FlagSet) {
			f.BoolVar(&o.without, "without-objects", false, "leaves the documents where they are")
			f.StringVar(&o.into, "into", "", "writes to a file of this `FOLDER`, named by its time")
		},
		Uses: []command.Use{
			{Words: "", Does: "saves database and documents as one file, to standard output", Run: o.save},
			{Words: "restore", Does: "reads such a file from standard input into an empty installation", Run: o.restore},
			{Words: "note", Does: "notes that another program has made a backup", Run: o.note},
		},
	}
}

// options are the flags.
type options struct {
	without bool
	into    string
}

func (o *options) save(ctx context.Context, call command.Call) error {
	return o.connected(ctx, call, func(db *pgx.Conn, store *objectstore.Store) error {
		if o.into == "" {
			return save(ctx, db, store, call.Out, call.Log)
		}
		return saveInto(o.into, call.Clock.Now(), func(out io.Writer) error { return save(ctx, db, store, out, call.Log) })
	})
}

func (o *options) restore(ctx context.Context, call command.Call) error {
	workerURL, err := call.Setting("WORKER_DATABASE_URL")
	if err != nil {
		return err
	}
	if o.into != "" {
		return errors.New("-into is for a new backup")
	}
	return o.connected(ctx, call, func(db *pgx.Conn, store *objectstore.Store) error {
		if err := restore(ctx, db, store, call.In, call.Log); err != nil {
			return err
		}
		if err := verifybooks.Check(ctx, call.Out, workerURL); err != nil {
			return fmt.Errorf("everything is restored, but the books are not in order: %w", err)
		}
		return nil
	})
}

func (o *options) note(ctx context.Context, call command.Call) error {
	if o.into != "" {
		return errors.New("-into is for a new backup")
	}
	o.without = true
	return o.connected(ctx, call, func(db *pgx.Conn, _ *objectstore.Store) error {
		return note(ctx, db, call.Clock.Now(), alert.SavedElsewhere)
	})
}

// connected opens the database and, unless they are to be left out, the documents.
func (o *options) connected(ctx context.Context, call command.Call, do func(*pgx.Conn, *objectstore.Store) error) (err error) {
	dsn, err := call.Setting("DATABASE_OWNER_URL")
	if err != nil {
		return err
	}
	var store *objectstore.Store
	if !o.without {
		if store, err = call.Documents(); err != nil {
			return err
		}
	}
	db, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return errors.New("the database cannot be reached at DATABASE_OWNER_URL") // the cause may contain the address
	}
	defer func() { err = errors.Join(err, db.Close(context.WithoutCancel(ctx))) }()
	return do(db, store)
}

// saveInto has the backup written to a file, which gets its name once all of it is on the disk.
func saveInto(folder string, now time.Time, write func(io.Writer) error) error {
	path := filepath.Join(folder, "franchise360-"+now.UTC().Format("20060102T150405Z")+".tar.gz")
	file, err := os.OpenFile(path+".part", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("make the file: %w", err)
	}
	if err := errors.Join(write(file), file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path+".part"))
	}
	if err := os.Rename(path+".part", path); err != nil {
		return fmt.Errorf("name the file: %w", err)
	}
	return nil
}
