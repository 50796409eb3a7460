package mandate

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// page is where a customer sees and changes automatic renewal.
const page = "/dashboard/automatic-renewal"

// Notes returns the dashboard's notes about debits and changes of a mandate.
func Notes() map[string]message.Notes {
	return map[string]message.Notes{
		message.TemplateDebitAnnounced: debitNotes(func(d DebitRow, l i18n.Language) (title, text string) {
			return l.Say("{1} is debited on {2}", d.Amount.Display(), subscription.DayOf(d.DebitAt).In(l)),
				l.Say("Your plan renews automatically. You can skip this debit, or pay manually.")
		}),
		message.TemplateDebitRetried: debitNotes(func(d DebitRow, l i18n.Language) (title, text string) {
			return couldNot(d, l), l.Say("Why: {1}. We will try again.", l.Say(d.Cause.Text()))
		}),
		message.TemplateDebitFailed: debitNotes(func(d DebitRow, l i18n.Language) (title, text string) {
			return couldNot(d, l), l.Say("Why: {1}. We will not try again: pay manually by {2} to keep your plan.",
				l.Say(d.Cause.Text()), (d.RenewOn + subscription.GraceDays - 1).In(l))
		}),
		message.TemplateMandateActive: eventNotes(func(_ Event, l i18n.Language) (title, text string) {
			return l.Say("Automatic renewal is on"), l.Say("Your bank has confirmed it. You are told a week before each debit, or at least two days if there is less time.")
		}),
		message.TemplateMandatePaused: eventNotes(func(_ Event, l i18n.Language) (title, text string) {
			return l.Say("Automatic renewal is paused at your bank"), l.Say("Nothing is debited until you resume it there.")
		}),
		message.TemplateMandateEnded: eventNotes(func(_ Event, l i18n.Language) (title, text string) {
			return l.Say("Automatic renewal was ended at your bank"), l.Say("Nothing is debited any more. You pay manually, or set it up again.")
		}),
		message.TemplateMandateRefused: eventNotes(func(e Event, l i18n.Language) (title, text string) {
			return l.Say("Your next bill is not debited"),
				l.Say("Why: {1}. Set automatic renewal up again, or pay manually.", l.Say(e.Cause.Text()))
		}),
	}
}

func couldNot(d DebitRow, l i18n.Language) string {
	return l.Say("We could not debit {1}", d.Amount.Display())
}

// sayer returns the title and the text of a note in a language.
type sayer[T any] func(row T, l i18n.Language) (title, text string)

const (
	debitNotesSQL = `SELECT ` + debitColumns + ` FROM mandate_debits WHERE franchiser_id = $1 AND id = ANY($2)`
	eventNotesSQL = eventsSQL + ` AND e.id = ANY($2)`
)

func debitNotes(say sayer[DebitRow]) message.Notes {
	return func(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
		return notes(ctx, tx, debitNotesSQL, franchiserID, about, func(d DebitRow) string { return d.ID }, l, say)
	}
}

func eventNotes(say sayer[Event]) message.Notes {
	return func(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
		return notes(ctx, tx, eventNotesSQL, franchiserID, about, func(e Event) string { return e.ID }, l, say)
	}
}

func notes[T any](ctx context.Context, tx *sqlx.Tx, query, franchiserID string, about []string, idOf func(T) string,
	l i18n.Language, say sayer[T],
) (map[string]message.Note, error) {
	var rows []T
	if err := tx.SelectContext(ctx, &rows, query, franchiserID, pq.StringArray(about)); err != nil {
		return nil, fmt.Errorf("read automatic renewal of notifications: %w", err)
	}
	all := map[string]message.Note{}
	for _, r := range rows {
		title, text := say(r, l)
		all[idOf(r)] = message.Note{Title: title, Text: text, Link: page}
	}
	return all, nil
}
