// Package bookexport writes a month of the books as files that accounting software imports: Tally and Zoho Books.
package bookexport

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/gstreturn"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// File is one of the files of a month.
type File string

// The files. Masters come before vouchers: Tally refuses a voucher whose ledger it does not know.
const (
	// FileTallyLedgers has our accounts and every customer up to the end of the month, for the first import.
	FileTallyLedgers File = "tally_ledgers"
	// FileTallyCustomers has the month's new customers: creating a ledger again would overwrite changes made in Tally.
	FileTallyCustomers  File = "tally_customers"
	FileTallyVouchers   File = "tally_vouchers"
	FileZohoInvoices    File = "zoho_invoices"
	FileZohoCreditNotes File = "zoho_credit_notes"
)

// Files returns the files in the order in which they are imported.
func Files() []File {
	return []File{FileTallyLedgers, FileTallyCustomers, FileTallyVouchers, FileZohoInvoices, FileZohoCreditNotes}
}

// Extension is the ending of the file's name.
func (f File) Extension() string {
	if f == FileZohoInvoices || f == FileZohoCreditNotes {
		return "csv"
	}
	return "xml"
}

// ContentType is the media type of the file.
func (f File) ContentType() string {
	if f.Extension() == "csv" {
		return "text/csv; charset=utf-8"
	}
	return "application/xml"
}

// ErrNotReconciled reports files that would differ from the books; it is safe to show.
var ErrNotReconciled = errs.New(errs.KindConflict, "export_not_reconciled", "The files would differ from the books. Nothing can be downloaded until that is settled.")

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Service makes the files for staff. It runs with the API's role.
type Service struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
}

// NewService returns the files of the books.
func NewService(db *sqlx.DB, clk clock.Clock, recorder Recorder) *Service {
	return wiring.Complete(&Service{db: db, clock: clk, recorder: recorder})
}

// State is the contents of a month's files, and the problems that block them.
type State struct {
	Entries, Invoices, CreditNotes, NewCustomers int
	// Debit is the sum of the debits, which equals that of the credits; in paise.
	Debit money.Paise
	// Over reports whether the month is over, so that nothing is added to it.
	Over bool
	// Problems names what differs from the books.
	Problems []string
}

// books is the data of a month's files.
type books struct {
	before, balances []ledger.Balance
	entries          [][]ledger.EntryLine
	names            map[ledger.Account]string
	// issued are the documents of the month, documents those by id that an entry of the month may be of.
	issued    []invoice.Taxed
	documents map[string]invoice.Taxed
	fresh     []string
	all       []string
	named     map[string]invoice.Named
	numbers   map[string]string
}

// Of returns the state of a month's files.
func (s *Service) Of(ctx context.Context, m gstreturn.Month) (State, error) {
	b, err := s.read(ctx, m)
	if err != nil {
		return State{}, err
	}
	_, to := m.Window()
	state := State{Entries: len(b.entries), NewCustomers: len(b.fresh), Over: !s.clock.Now().Before(to), Problems: b.problems()}
	for _, d := range b.issued {
		switch d.Kind { //nolint:exhaustive // vouchers of advances are in no file
		case invoice.KindInvoice:
			state.Invoices++
		case invoice.KindCreditNote:
			state.CreditNotes++
		}
	}
	for _, lines := range b.entries {
		for _, l := range lines {
			state.Debit += l.Debit
		}
	}
	return state, nil
}

// Take returns a file of a month, and records who took it with its SHA-256. It fails with gstreturn.ErrMonthRuns, and with ErrNotReconciled if what
// it would contain differs from the books.
func (s *Service) Take(ctx context.Context, p staff.Principal, m gstreturn.Month, f File) ([]byte, error) {
	if _, to := m.Window(); s.clock.Now().Before(to) {
		return nil, gstreturn.ErrMonthRuns
	}
	b, err := s.read(ctx, m)
	if err != nil {
		return nil, err
	}
	if len(b.problems()) > 0 {
		return nil, ErrNotReconciled
	}
	raw, err := b.file(f)
	if err != nil {
		return nil, errs.Internal(err)
	}
	sum := sha256.Sum256(raw)
	return raw, postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "take_books", Target: "books:" + m.String() + ":" + string(f), Reason: "Books of " + m.String() + " for accounting software",
			After: staff.JSON(map[string]any{"sha256": hex.EncodeToString(sum[:]), "bytes": len(raw)}),
		})
	})
}

func (b books) file(f File) ([]byte, error) {
	switch f {
	case FileTallyLedgers:
		return b.ledgers(true, b.all)
	case FileTallyCustomers:
		return b.ledgers(false, b.fresh)
	case FileTallyVouchers:
		return b.vouchers()
	case FileZohoInvoices:
		return b.zoho(invoice.KindInvoice)
	case FileZohoCreditNotes:
		return b.zoho(invoice.KindCreditNote)
	}
	return nil, fmt.Errorf("no such file: %s", f)
}

// read reads a month in one snapshot: a sale between two reads would look like a difference.
func (s *Service) read(ctx context.Context, m gstreturn.Month) (b books, err error) {
	err = postgres.InSnapshot(ctx, s.db, func(tx *sqlx.Tx) error {
		b, err = readTx(ctx, tx, m)
		return err
	})
	return b, err
}

func readTx(ctx context.Context, tx *sqlx.Tx, m gstreturn.Month) (b books, err error) {
	from, to := m.Window()
	if b.before, err = ledger.BalancesTx(ctx, tx, from); err != nil {
		return b, err
	}
	if b.balances, err = ledger.BalancesTx(ctx, tx, to); err != nil {
		return b, err
	}
	lines, err := ledger.EntriesTx(ctx, tx, from, to)
	if err != nil {
		return b, err
	}
	b.addEntries(lines)
	b.documents = map[string]invoice.Taxed{}
	// A document that was issued just before midnight may be booked in the month that begins.
	err = invoice.TaxedTx(ctx, tx, from.Add(-time.Hour), to, func(d invoice.Taxed) error {
		b.documents[d.ID] = d
		if !d.IssuedAt.Before(from) && d.IssuedAt.Before(to) {
			b.issued = append(b.issued, d)
		}
		return nil
	})
	if err != nil {
		return b, err
	}
	if b.fresh, err = ledger.CustomersTx(ctx, tx, from, to); err != nil {
		return b, err
	}
	if b.all, err = ledger.CustomersTx(ctx, tx, time.Time{}, to); err != nil {
		return b, err
	}
	if b.named, err = invoice.NamedTx(ctx, tx, b.all); err != nil {
		return b, err
	}
	b.numbers, err = invoice.NumbersTx(ctx, tx, paymentsOf(lines))
	return b, err
}

// addEntries puts the lines of each entry together.
func (b *books) addEntries(lines []ledger.EntryLine) {
	b.names = map[ledger.Account]string{}
	for _, a := range b.balances {
		b.names[a.Account] = prefix + a.Name
	}
	for _, l := range lines {
		if n := len(b.entries); n > 0 && b.entries[n-1][0].JournalID == l.JournalID {
			b.entries[n-1] = append(b.entries[n-1], l)
		} else {
			b.entries = append(b.entries, []ledger.EntryLine{l})
		}
	}
}

func paymentsOf(lines []ledger.EntryLine) []string {
	var ids []string
	for _, l := range lines {
		if l.PaymentID != "" && ofCustomer(l.Account) {
			ids = append(ids, l.PaymentID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// problems compares the files with the trial balance and the documents: every account moves by its entries of the month, every sale and
// credit note has its document, and the document's value by rate equals the entry's.
func (b books) problems() []string {
	list := []string{}
	moved := map[ledger.Account]money.Paise{}
	for _, lines := range b.entries {
		var value money.Paise
		for _, l := range lines {
			moved[l.Account] += l.Debit - l.Credit
			if l.Account == ledger.AccountRevenue || l.Account == ledger.AccountRefunds {
				value += l.Debit + l.Credit
			}
		}
		if kind := lines[0].Kind; kind == ledger.KindSale || kind == ledger.KindCreditNote {
			d, ok := b.documents[lines[0].InvoiceID]
			var taxable money.Paise
			for _, l := range d.Lines {
				taxable += l.Taxable
			}
			if !ok || taxable != value {
				list = append(list, fmt.Sprintf("%s is %s in the books and %s in its document", lines[0].Description, value, taxable))
			}
		}
	}
	for i, a := range b.balances {
		if was := b.before[i]; a.Debit-a.Credit-was.Debit+was.Credit != moved[a.Account] {
			list = append(list, a.Name+" moves by another amount than its entries")
		}
	}
	return list
}
