// Package documents moves the product's documents to another object store: `documents copy` copies missing objects from the
// store in the FROM_S3_… settings to the one in S3_… and compares every object; `documents compare` only compares. It never
// overwrites or removes anything, so it may run alongside the product and more than once.
package documents

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// Command returns the command documents.
func Command() command.Command {
	return command.Command{Name: "documents", Uses: []command.Use{
		{Words: "copy", Does: "copies the documents of FROM_S3_… to S3_… and compares them", Run: run(true)},
		{Words: "compare", Does: "compares the documents of the two stores", Run: run(false)},
	}}
}

func run(copying bool) func(context.Context, command.Call) error {
	return func(ctx context.Context, call command.Call) error {
		from, err := objectstore.Open(call.Getenv, "FROM_S3_")
		if err != nil {
			return err
		}
		to, err := call.Documents()
		if err != nil {
			return err
		}
		m := move{from: from, to: to, copying: copying, out: call.Out}
		return m.run(ctx)
	}
}

type move struct {
	from, to                 *objectstore.Store
	copying                  bool
	out                      io.Writer
	copied, same, wrong, new int
}

// run walks both listings, which are ordered by key; objects that exist only in the target are ignored.
func (m *move) run(ctx context.Context) error {
	there := map[string]bool{}
	if err := m.to.EachKey(ctx, "", func(key string) error {
		there[key] = true
		return nil
	}); err != nil {
		return err
	}
	err := m.from.EachKey(ctx, "", func(key string) error {
		known := there[key]
		delete(there, key)
		return m.one(ctx, key, known)
	})
	if err != nil {
		return err
	}
	m.new = len(there)
	if _, err := fmt.Fprintf(m.out, "%d copied, %d were there already, %d differ or are missing; %d are in the new store alone\n",
		m.copied, m.same, m.wrong, m.new); err != nil {
		return fmt.Errorf("tell: %w", err)
	}
	if m.wrong > 0 {
		return fmt.Errorf("%d documents differ or are missing", m.wrong)
	}
	return nil
}

func (m *move) one(ctx context.Context, key string, known bool) error {
	o, err := m.from.Whole(ctx, key)
	if err != nil {
		return err
	}
	copied := false
	if !known {
		if !m.copying {
			return m.differs(key, "is missing")
		}
		if err := m.to.Put(ctx, o.Key, o.ContentType, o.Body); err != nil {
			return err
		}
		copied = true
	}
	arrived, err := m.to.Whole(ctx, key) // read back the copy
	if err != nil {
		return err
	}
	if !bytes.Equal(arrived.Body, o.Body) || arrived.ContentType != o.ContentType {
		return m.differs(key, "differs")
	}
	if copied {
		m.copied++
	} else {
		m.same++
	}
	return nil
}

func (m *move) differs(key, how string) error {
	m.wrong++
	if _, err := fmt.Fprintf(m.out, "%s %s\n", key, how); err != nil {
		return fmt.Errorf("tell: %w", err)
	}
	return nil
}
