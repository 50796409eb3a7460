package mandate

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// page is where a customer sees and changes automatic renewal.
const page = "/dashboard/automatic-renewal"

// Notes returns what the dashboard says of debits and of changes of a mandate.
func Notes() map[string]message.Notes {
	return map[string]message.Notes{
		message.TemplateDebitAnnounced: debitNotes(func(d DebitRow) (title, text string) {
			return d.Amount.Display() + " is debited on " + subscription.DayOf(d.DebitAt).Human(), "Your plan renews by itself. You can skip this debit, or pay by hand."
		}),
		message.TemplateDebitRetried: debitNotes(func(d DebitRow) (title, text string) {
			return couldNot(d), "Why: " + remedyOf(d.Cause).text + ". It is tried again."
		}),
		message.TemplateDebitFailed: debitNotes(func(d DebitRow) (title, text string) {
			return couldNot(d), "Why: " + remedyOf(d.Cause).text + ". It is not tried again: pay by hand by " + (d.RenewOn + subscription.GraceDays - 1).Human() + " to keep your plan."
		}),
		message.TemplateMandateActive: eventNotes(func(Event) (title, text string) {
			return "Automatic renewal is on", "Your bank has confirmed it. You are told a week before each debit."
		}),
		message.TemplateMandatePaused: eventNotes(func(Event) (title, text string) {
			return "Automatic renewal is paused at your bank", "Nothing is debited until you resume it there."
		}),
		message.TemplateMandateEnded: eventNotes(func(Event) (title, text string) {
			return "Automatic renewal was ended at your bank", "Nothing is debited any more. You pay by hand, or set it up again."
		}),
		message.TemplateMandateRefused: eventNotes(func(e Event) (title, text string) {
			return "Your next bill is not debited", "Why: " + remedyOf(e.Cause).text + ". Set automatic renewal up again, or pay by hand."
		}),
	}
}

func couldNot(d DebitRow) string { return "We could not debit " + d.Amount.Display() }

const (
	debitNotesSQL = `SELECT ` + debitColumns + ` FROM mandate_debits WHERE franchiser_id = $1 AND id = ANY($2)`
	eventNotesSQL = eventsSQL + ` AND e.id = ANY($2)`
)

func debitNotes(say func(DebitRow) (title, text string)) message.Notes {
	return func(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string) (map[string]message.Note, error) {
		return notes(ctx, tx, debitNotesSQL, franchiserID, about, func(d DebitRow) string { return d.ID }, say)
	}
}

func eventNotes(say func(Event) (title, text string)) message.Notes {
	return func(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string) (map[string]message.Note, error) {
		return notes(ctx, tx, eventNotesSQL, franchiserID, about, func(e Event) string { return e.ID }, say)
	}
}

func notes[T any](ctx context.Context, tx *sqlx.Tx, query, franchiserID string, about []string, idOf func(T) string,
	say func(T) (title, text string),
) (map[string]message.Note, error) {
	var rows []T
	if err := tx.SelectContext(ctx, &rows, query, franchiserID, pq.StringArray(about)); err != nil {
		return nil, fmt.Errorf("read automatic renewal of notifications: %w", err)
	}
	all := map[string]message.Note{}
	for _, r := range rows {
		title, text := say(r)
		all[idOf(r)] = message.Note{Title: title, Text: text, Link: page}
	}
	return all, nil
}
