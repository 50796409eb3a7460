package contact

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Mine returns one page of the customer's own requests, the last one written to first, and how many there are.
func (s *Service) Mine(ctx context.Context, franchiserID string, state State, limit, offset int) (list []Request, total int, err error) {
	if state != "" && !state.Valid() {
		return nil, 0, errs.Invalid("Please check the marked fields.").Field("state", "Kindly choose one")
	}
	list = []Request{}
	err = postgres.InTenantRead(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		const where = ` FROM contact_requests c WHERE c.franchiser_ref = $1 AND ($2 = '' OR c.state = $2)`
		err := tx.SelectContext(ctx, &list, `SELECT `+ownColumns+messageSQL+where+` ORDER BY c.wrote_at DESC, c.id DESC LIMIT $3 OFFSET $4`,
			franchiserID, state, limit, offset)
		if err != nil {
			return fmt.Errorf("list a customer's requests: %w", err)
		}
		if err := tx.GetContext(ctx, &total, `SELECT count(*)`+where, franchiserID, state); err != nil {
			return fmt.Errorf("count a customer's requests: %w", err)
		}
		return nil
	})
	return list, total, err
}

const ownRequestSQL = `SELECT ` + ownColumns + `, '' AS owner FROM contact_requests c WHERE c.id = $1 AND c.franchiser_ref = $2`

// Thread is a customer's request with its messages. It has no notes and no automatic answers.
type Thread struct {
	Request

	Entries []Entry
}

// MyThread returns one of the customer's own requests with its messages, or KindNotFound.
func (s *Service) MyThread(ctx context.Context, franchiserID, contactID string) (t Thread, err error) {
	return t, postgres.InTenantRead(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if t.Request, err = oneContact(ctx, tx, ownRequestSQL, contactID, franchiserID); err != nil {
			return err
		}
		t.Entries, err = entriesTx(ctx, tx, contactID, EntryAnswer, EntryHeld, EntryReply)
		return err
	})
}

// MyFile returns a file of one of the customer's own requests, or KindNotFound.
func (s *Service) MyFile(ctx context.Context, franchiserID, contactID, fileID string) (f FileBody, err error) {
	return f, postgres.InTenantRead(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		f, err = fileTx(ctx, tx, `c.franchiser_ref = $3 AND e.kind IN ('answer', 'held', 'reply')`, fileID, contactID, franchiserID)
		return err
	})
}

// Upload keeps a file that the customer sends with a message within a day. Its content decides on its type.
func (s *Service) Upload(ctx context.Context, franchiserID, name string, body []byte) (File, error) {
	f, err := newUpload(name, body)
	if err != nil {
		return File{}, err
	}
	return f.File, postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		return keepUploadTx(ctx, tx, f, uploader{franchiserID: &franchiserID}, s.clock.Now())
	})
}

// MyMessage is a message that a customer writes in the account.
type MyMessage struct {
	// Topic is that of a new request.
	Topic string
	Text  string
	// Files are the ids of uploads.
	Files []string
	Key   string
}

func (m *MyMessage) validate(fresh bool) error {
	var v errs.Validation
	m.Text = strings.TrimSpace(strings.ReplaceAll(m.Text, "\r\n", "\n"))
	n := utf8.RuneCountInString(m.Text)
	v.Check(n > 0 && n <= maxEntry && text.Storable(m.Text) && !strings.ContainsFunc(m.Text, isOddControl), "message", "Write up to 4,000 characters.")
	v.Check(!fresh || slices.Contains(topics, m.Topic), "topic", "Kindly choose one")
	checkFiles(&v, &m.Files)
	v.Check(idempotency.Valid(m.Key), "Idempotency-Key", idempotency.Rule)
	return v.Err()
}

// entry returns the message as an entry. The browser's key is bound to the customer, because external ids are unique among all customers.
func (m *MyMessage) entry(franchiserID, contactID string, now time.Time) Entry {
	external := franchiserID + ":" + m.Key
	return Entry{
		ID: id.New(), ContactID: contactID, Kind: EntryAnswer, Channel: ChannelAccount, ExternalID: &external, Text: m.Text, Key: external, CreatedAt: now,
	}
}

// Start opens a request of the customer and returns its id; the same key again returns the first one's.
func (s *Service) Start(ctx context.Context, franchiserID string, in MyMessage) (contactID string, err error) {
	if err := in.validate(true); err != nil {
		return "", err
	}
	now := s.clock.Now()
	r := Request{ID: id.New(), FranchiserID: &franchiserID, Topic: in.Topic}
	return r.ID, postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		e := in.entry(franchiserID, r.ID, now)
		earlier, err := s.earlierTx(ctx, tx, e)
		if err != nil || earlier != "" {
			r.ID = earlier
			return err
		}
		if err := s.introduceTx(ctx, tx, &r, franchiserID); err != nil {
			return err
		}
		if err := s.targets.openTx(ctx, tx, r, e, now); err != nil {
			return err
		}
		_, err = sendFilesTx(ctx, tx, uploader{franchiserID: &franchiserID}, e.ID, in.Files)
		return err
	})
}

// introduceTx fills in who the customer is.
func (s *Service) introduceTx(ctx context.Context, tx *sqlx.Tx, r *Request, franchiserID string) error {
	reach, err := account.ReachTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	if reach.Erased {
		return errs.NotFound()
	}
	r.Mobile = reach.Mobile
	if reach.Proved {
		r.Email = reach.Email
	}
	var name string
	if err := tx.GetContext(ctx, &name, `SELECT coalesce((SELECT btrim(first_name || ' ' || last_name) FROM person_overview WHERE franchiser_id = $1), '')`, franchiserID); err != nil {
		return fmt.Errorf("read a customer's name: %w", err)
	}
	r.Name = nameOr(name, "Customer")
	return nil
}

// nameOr returns the name in the length that a request keeps, or other if it is too short.
func nameOr(name, other string) string {
	name = text.Line(name)
	if runes := []rune(name); len(runes) > maxName {
		name = strings.TrimSpace(string(runes[:maxName]))
	}
	if utf8.RuneCountInString(name) < minName {
		return other
	}
	return name
}

const (
	lockOwnSQL = ownRequestSQL + ` FOR UPDATE OF c`
	earlierSQL = `SELECT e.contact_id, e.text FROM contact_entries e WHERE e.channel = 'account' AND e.external_id = $1`
)

// earlierTx returns the request that has the message already, or ""; another text under the same key is idempotency.ErrReused.
func (s *Service) earlierTx(ctx context.Context, tx *sqlx.Tx, e Entry) (string, error) {
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('contact message ' || $1, 0))`, *e.ExternalID); err != nil {
		return "", fmt.Errorf("lock a message: %w", err)
	}
	var found []struct {
		ContactID string `db:"contact_id"`
		Text      string `db:"text"`
	}
	if err := tx.SelectContext(ctx, &found, earlierSQL, *e.ExternalID); err != nil {
		return "", fmt.Errorf("find an earlier message: %w", err)
	}
	switch {
	case len(found) == 0:
		return "", nil
	case found[0].Text != e.Text:
		return "", idempotency.ErrReused()
	default:
		return found[0].ContactID, nil
	}
}

// Reply adds the customer's message to one of the customer's requests and opens the request. A repeated key adds nothing.
func (s *Service) Reply(ctx context.Context, franchiserID, contactID string, in MyMessage) error {
	now := s.clock.Now()
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		r, err := oneContact(ctx, tx, lockOwnSQL, contactID, franchiserID)
		if err != nil {
			return err
		}
		if err := in.validate(false); err != nil {
			return err
		}
		e := in.entry(franchiserID, contactID, now)
		earlier, err := s.earlierTx(ctx, tx, e)
		switch {
		case err != nil:
			return err
		case earlier == contactID:
			return nil
		case earlier != "":
			return idempotency.ErrReused()
		}
		if err := s.targets.hearTx(ctx, tx, &r, e, now); err != nil {
			return err
		}
		_, err = sendFilesTx(ctx, tx, uploader{franchiserID: &franchiserID}, e.ID, in.Files)
		return err
	})
}
