package main

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

// readSQL reads what happened in a scratch database after $1.
//
//go:embed read.sql
var readSQL string

func read(ctx context.Context, db *sqlx.DB, from time.Time) ([]timemachine.Entry, error) {
	var rows []struct {
		At        time.Time        `db:"at"`
		Kind      timemachine.Kind `db:"kind"`
		Title     string           `db:"title"`
		Status    string           `db:"status"`
		Text      string           `db:"text"`
		Reference string           `db:"reference"`
		Amount    *int64           `db:"amount"`
	}
	if err := db.SelectContext(ctx, &rows, readSQL, from); err != nil {
		return nil, fmt.Errorf("read what happened: %w", err)
	}
	list := make([]timemachine.Entry, 0, len(rows))
	for _, r := range rows {
		if r.Kind == timemachine.KindMessage {
			r.Title, r.Text = "Not sent: "+message.Title(r.Title), message.FailureText(r.Status)
		}
		list = append(list, timemachine.Entry{
			At: r.At.UTC(), Kind: r.Kind, Title: r.Title, Status: r.Status, Text: r.Text, Reference: r.Reference, Amount: paise(r.Amount),
		})
	}
	return list, nil
}
