package transfer

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// page is where a customer sees the bills paid by bank transfer.
const page = "/subscription_list?tab=transfers"

// Notes returns the dashboard's notes about transfers that paid part of a bill.
func Notes() map[string]message.Notes {
	return map[string]message.Notes{message.TemplateTransferPart: partNotes}
}

const partNotesSQL = `SELECT id, proforma_id, amount_paise, state FROM bank_credit_uses WHERE franchiser_ref = $1 AND id = ANY ($2) AND proforma_id IS NOT NULL`

func partNotes(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
	var parts []struct {
		ID         string      `db:"id"`
		ProformaID string      `db:"proforma_id"`
		Amount     money.Paise `db:"amount_paise"`
		State      UseState    `db:"state"`
	}
	if err := tx.SelectContext(ctx, &parts, partNotesSQL, franchiserID, pq.StringArray(about)); err != nil {
		return nil, fmt.Errorf("read transfers of notifications: %w", err)
	}
	ids := make([]string, 0, len(parts))
	for _, u := range parts {
		ids = append(ids, u.ProformaID)
	}
	bills, err := store{}.proformas(ctx, tx, ` WHERE p.franchiser_id = $1 AND p.id = ANY ($2)`, franchiserID, pq.StringArray(ids))
	if err != nil {
		return nil, err
	}
	of := map[string]Proforma{}
	for _, p := range bills {
		of[p.ID] = p
	}
	notes := map[string]message.Note{}
	for _, u := range parts {
		p, ok := of[u.ProformaID]
		if !ok {
			continue
		}
		text := l.Say("It no longer counts for this bill. Bank transfers show what became of it.")
		switch {
		case p.State == StatePaid:
			text = l.Say("The bill is paid.")
		case u.State == UseDone && p.State.payable():
			text = l.Say("Still to be transferred: {1}. What you ordered is activated when it has arrived.", (p.Amount - p.Received).Display())
		}
		notes[u.ID] = message.Note{Title: l.Say("We received {2} for proforma {1}", p.Number, u.Amount.Display()), Text: text, Link: page}
	}
	return notes, nil
}
