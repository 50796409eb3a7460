package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Renderer renders a proforma as a PDF, always with the same bytes; pkg/adapter/pdf implements it.
type Renderer interface {
	RenderProforma(p Proforma) ([]byte, error)
}

const contentType = "application/pdf"

// Printer renders, stores and e-mails proformas. It runs with the worker's role.
type Printer struct {
	db       *sqlx.DB
	clock    clock.Clock
	renderer Renderer
	shelf    Shelf
	messages *message.Enqueuer
	store    store
}

// NewPrinter returns a printer on the worker's pool.
func NewPrinter(db *sqlx.DB, clk clock.Clock, renderer Renderer, shelf Shelf, messages *message.Enqueuer) *Printer {
	return wiring.Complete(&Printer{db: db, clock: clk, renderer: renderer, shelf: shelf, messages: messages})
}

// Print renders a proforma once, stores it under its hash, and schedules the e-mail to the customer's verified address.
func (p *Printer) Print(ctx context.Context, proformaID string) error {
	var of Proforma
	err := postgres.InTx(ctx, p.db, func(tx *sqlx.Tx) error {
		var err error
		of, err = p.store.proforma(ctx, tx, ` WHERE p.id = $1`, proformaID)
		return err
	})
	if err != nil || of.ObjectKey != "" {
		return err
	}
	body, err := p.renderer.RenderProforma(of)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	key := fmt.Sprintf("proformas/%s/%s.pdf", of.ID, hex.EncodeToString(sum[:]))
	if err := p.shelf.Put(ctx, key, contentType, body); err != nil {
		return fmt.Errorf("store %s: %w", of.Number, err)
	}
	return postgres.InTx(ctx, p.db, func(tx *sqlx.Tx) error {
		if err := p.store.exec(ctx, tx, "note proforma as printed", printedSQL, of.ID, key); err != nil {
			return err
		}
		return p.messages.OnceTx(ctx, tx, message.CustomerMessage{
			FranchiserID: of.FranchiserID, Template: message.TemplateProformaEmail, About: of.ID, CreatedAt: p.clock.Now(),
		})
	})
}

// emailLinkLife is how long the link to a proforma in an e-mail works: the maximum of S3.
const emailLinkLife = 7 * 24 * time.Hour

// Letters returns the contents of the messages about proformas.
func Letters(db *sqlx.DB, shelf Shelf) map[string]message.Letter {
	return map[string]message.Letter{message.TemplateTransferPart: {Write: partLetter}, message.TemplateTransferPartEmail: {Write: partLetter}, message.TemplateProformaEmail: {
		Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
			p, err := store{}.proforma(ctx, tx, ` WHERE p.id = $1`, m.About)
			if err != nil || p.State != StateOpen { // paid already: the message would ask for money twice
				return nil, err
			}
			return &message.Message{Values: []string{
				p.Number, p.Amount.Display(), p.Account.Number, p.Account.IFSC, p.Account.Beneficiary, m.Language.Day(p.ValidUntil),
			}}, nil
		},
		Attach: func(ctx context.Context, m message.CustomerMessage) (*message.Attachment, string, error) {
			var p Proforma
			err := postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
				var err error
				p, err = store{}.proforma(ctx, tx, ` WHERE p.id = $1`, m.About)
				return err
			})
			if err != nil {
				return nil, "", err
			}
			body, err := shelf.Get(ctx, p.ObjectKey)
			if err != nil {
				return nil, "", err
			}
			link, err := shelf.Presign(ctx, p.ObjectKey, p.Filename(), emailLinkLife)
			return &message.Attachment{Name: p.Filename(), ContentType: contentType, Body: body}, link, err
		},
	}}
}

// partLetter says that part of a bill arrived and how much is missing. It is not sent once the bill is paid or ended.
func partLetter(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
	u, err := store{}.use(ctx, tx, ` WHERE u.id = $1`, m.About)
	if err != nil {
		return nil, err
	}
	p, err := store{}.proforma(ctx, tx, ` WHERE p.id = $1`, u.ProformaID)
	if err != nil || u.State != UseDone || !p.State.payable() {
		return nil, err
	}
	if !message.IsEmail(m.Template) {
		return &message.Message{Values: []string{m.Rupees(u.Amount), p.Number, m.Rupees(p.Amount - p.Received)}}, nil
	}
	return &message.Message{Values: []string{
		p.Number, u.Amount.Display(), (p.Amount - p.Received).Display(), p.Account.Number, p.Account.IFSC, m.Language.Day(p.ValidUntil),
	}}, nil
}
