package delivery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// announceTx enqueues the e-mail about an event, once.
func announceTx(ctx context.Context, tx *sqlx.Tx, messages *message.Enqueuer, template, franchiserID, eventID string, now time.Time) error {
	return messages.OnceTx(ctx, tx, message.CustomerMessage{FranchiserID: franchiserID, Template: template, About: eventID, CreatedAt: now})
}

// Letters returns the contents of the messages about deliveries. A message is no longer needed if the delivery changed since.
func Letters() map[string]message.Letter {
	return map[string]message.Letter{
		message.TemplateDeliveryNeededEmail: {Write: letter}, message.TemplateDeliveryDoneEmail: {Write: letter}, message.TemplateDeliveryLateEmail: {Write: letter},
	}
}

// told is a delivery with the state that an event announced.
type told struct {
	EventID    string           `db:"event_id"`
	To         State            `db:"to_state"`
	State      State            `db:"state"`
	Name       string           `db:"name"`
	Needs      string           `db:"needs"`
	PromisedOn subscription.Day `db:"promised_on"`
}

const toldSQL = `SELECT e.id AS event_id, e.to_state, d.state, d.name, d.needs, d.promised_on
	FROM delivery_events e JOIN deliveries d ON d.franchiser_id = e.franchiser_id AND d.id = e.delivery_id WHERE e.franchiser_id = $1 AND `

func letter(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
	var t told
	err := tx.GetContext(ctx, &t, toldSQL+`e.id = $2`, m.FranchiserID, m.About)
	if errors.Is(err, sql.ErrNoRows) || err == nil && t.State != t.To {
		return nil, nil //nolint:nilnil // the delivery changed since
	}
	if err != nil {
		return nil, fmt.Errorf("read delivery of a message: %w", err)
	}
	switch m.Template {
	case message.TemplateDeliveryNeededEmail:
		return &message.Message{Values: []string{t.Name, t.Needs}}, nil
	case message.TemplateDeliveryLateEmail:
		return &message.Message{Values: []string{t.Name, t.PromisedOn.In(m.Language)}}, nil
	}
	return &message.Message{Values: []string{t.Name}}, nil
}

// Notes returns what the dashboard says of these messages.
func Notes() map[string]message.Notes {
	return map[string]message.Notes{
		message.TemplateDeliveryNeededEmail: notes, message.TemplateDeliveryDoneEmail: notes, message.TemplateDeliveryLateEmail: notes,
	}
}

func notes(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
	var rows []told
	if err := tx.SelectContext(ctx, &rows, toldSQL+`e.id = ANY($2)`, franchiserID, pq.StringArray(about)); err != nil {
		return nil, fmt.Errorf("read deliveries of notifications: %w", err)
	}
	found := map[string]message.Note{}
	for _, t := range rows {
		n := message.Note{Link: "/dashboard", Title: l.Say("{1} is late", t.Name), Text: l.Say("It was promised for {1}.", t.PromisedOn.In(l))}
		switch t.To {
		case StateWaiting:
			n.Title, n.Text = l.Say("We need something from you: {1}", t.Name), t.Needs
		case StateDelivered:
			n.Title, n.Text = l.Say("{1} is delivered", t.Name), l.Say("Your dashboard shows the proof.")
		case StatePlanned, StateInProgress, StateNotApplicable, StateEnded:
		}
		found[t.EventID] = n
	}
	return found, nil
}
