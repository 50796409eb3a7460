package staff

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Read is one kind of data that staff view. Polling pages and the successive letters of a search count as one visit.
type Read struct {
	kind, reason string
	seen         []string
	again        time.Duration
	anything     bool // anything else of this kind belongs to the same visit
	target       string
	franchiserID string
	found        string
}

const oneVisit = 30 * time.Minute

// ReadTimeline is the viewing of a customer's timeline without having opened the customer's page.
func ReadTimeline(franchiserID string) Read {
	return Read{
		kind: "read_timeline", reason: "Read the customer's timeline", seen: []string{"read_timeline", "open_customer"}, again: oneVisit,
		target: "customer:" + franchiserID, franchiserID: franchiserID,
	}
}

// ReadAccount is the viewing of a customer's statement of account.
func ReadAccount(franchiserID string) Read {
	return Read{
		kind: "read_account", reason: "Read the customer's account", seen: []string{"read_account"}, again: oneVisit,
		target: "customer:" + franchiserID, franchiserID: franchiserID,
	}
}

// ReadTrail is the viewing of a customer's payment.
func ReadTrail(franchiserID, paymentID string) Read {
	return Read{
		kind: "read_trail", reason: "Followed the payment", seen: []string{"read_trail"}, again: oneVisit, target: "payment:" + paymentID,
		franchiserID: franchiserID,
	}
}

// ReadDocument is the opening of a customer's document.
func ReadDocument(franchiserID, invoiceID string) Read {
	return Read{
		kind: "open_document", reason: "Opened a document", seen: []string{"open_document"}, again: 5 * time.Minute,
		target: "invoice:" + invoiceID, franchiserID: franchiserID,
	}
}

// ReadMobile is the viewing of an unfinished sign-up; the trail does not keep a stranger's full number.
func ReadMobile(mobile string) Read {
	return Read{
		kind: "read_mobile", reason: "Looked at a sign-up", seen: []string{"read_mobile"}, again: oneVisit,
		target: "mobile:" + mobile[:2] + "••••" + mobile[6:],
	}
}

// ReadList is the viewing of a list that names customers: contacts, credit notes, deliveries, money, reversals or the work list.
func ReadList(list string) Read {
	return Read{kind: "read_list", reason: "Read the list of " + listName(list), seen: []string{"read_list"}, again: oneVisit, target: "list:" + list}
}

// ExportList is the download of a list as a file. Each is recorded, however soon it follows another.
func ExportList(list string) Read {
	return Read{kind: "export_list", reason: "Took out the list of " + listName(list), seen: []string{}, target: "list:" + list}
}

// listName returns a list's readable name.
func listName(list string) string {
	name := list
	switch list {
	case "reversals":
		name = "requests for money to go back"
	case "acts":
		name = "what waits for a second person"
	case "money":
		name = "money that waits"
	case "catalogue":
		name = "renewals at other prices"
	case "jobs":
		name = "failed jobs"
	case "transfers":
		name = "proformas"
	case "e invoices":
		name = "e-invoices"
	case "tds":
		name = "deducted tax"
	case "contacts":
		name = "contact requests"
	case "work":
		name = "work that waits for staff"
	}
	return name
}

// searchesApart is the minimum time between two recorded searches.
const searchesApart = time.Minute

// ReadSearch is a search: a keyed digest of the text, which reveals only whether two searches are equal, and the number
// of hits.
func (s *Service) ReadSearch(text string, hits int) Read {
	return Read{
		kind: "search", reason: "Searched for customers", seen: []string{"search"}, again: searchesApart, anything: true,
		target: "search:" + hex.EncodeToString(s.keys.MAC(secret.PurposeSubject, "staff search", text)[:8]),
		found:  fmt.Sprintf(`{"hits":%d}`, hits),
	}
}

const noteReadSQL = `SELECT note_staff_read($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

// NoteRead records the principal's view in a separate statement, unless it belongs to the same visit. If it fails, the data must not be
// shown.
func (s *Service) NoteRead(ctx context.Context, p Principal, r Read) error {
	return noteRead(ctx, s.db, p, r, s.clock.Now())
}

func noteRead(ctx context.Context, db *sqlx.DB, p Principal, r Read, now time.Time) error {
	if err := knownKind(r.kind); err != nil {
		return err
	}
	var noted bool
	err := db.GetContext(ctx, &noted, noteReadSQL, hex.EncodeToString(p.Proof), id.OfRequest(ctx), id.New(), p.StaffID, r.kind,
		pq.Array(r.seen), r.target, orNull(r.franchiserID), r.reason, r.found, now, now.Add(-r.again), r.anything)
	if err != nil {
		return postgres.Error(fmt.Errorf("note what staff read: %w", err))
	}
	return nil
}
