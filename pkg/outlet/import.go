package outlet

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// The limits of an import.
const (
	// MaxImportBytes is the size of a sheet with outlets.
	MaxImportBytes = 2 << 20
	// MaxImportRows is how many outlets one import adds.
	MaxImportRows = 500
	// UndoLife is how long an import can be undone.
	UndoLife = 24 * time.Hour
	// mostValue is the most bytes of a value that a row keeps for correction.
	mostValue = 400
)

// Failures of imports, safe to show.
var (
	// ErrImportRows says that rows have to be corrected or left out.
	ErrImportRows = errs.Invalid(i18n.Mark("Some rows are wrong. Correct them, or leave them out."))
	// ErrImportEmpty says that no row was chosen.
	ErrImportEmpty = errs.Invalid(i18n.Mark("No row is chosen."))
	// ErrImportDone says that the import has run, with other rows or before it was undone.
	ErrImportDone = errs.New(errs.KindConflict, "import_done", i18n.Mark("This import has run already. Start another one for further outlets."))
	// ErrImportOld says that the time to undo the import is over.
	ErrImportOld = errs.New(errs.KindConflict, "import_old", i18n.Mark("An import can be undone for 24 hours. Close the outlets one by one instead."))
)

// Draft is a row of an import as it was typed. Leave means that the row is left out. Problem says why its line could not be split. Mended says
// what an earlier check changed. Group is the line above the row's group of rows, such as "Indore".
type Draft struct {
	Line    int
	Group   string
	Leave   bool
	Problem string
	Values  map[ImportField]string
	Mended  []Mend
	// Closed means that a remark in the sheet says that the outlet is closed.
	Closed bool
}

// ImportRow is a checked row: valid, mended or wrong.
type ImportRow struct {
	Draft
	Errors map[ImportField]Sentence
	// Notes say what is not imported. Doubt says why the row is left out unless a person chooses it.
	Notes []Sentence
	Doubt Sentence

	input   Input
	state   State
	partner PartnerInput
}

// Wrong reports whether the row cannot be imported as it is.
func (row ImportRow) Wrong() bool { return len(row.Errors) > 0 || row.Problem != "" }

// ImportPreview is a checked import.
type ImportPreview struct {
	Places

	Rows []ImportRow
	// Invited is how many new partners the chosen rows have. Beyond counts the rows that the first check left out for the plan's limit.
	Invited, Beyond int
}

// Count returns how many rows are chosen, and how many of the chosen ones are wrong or mended.
func (p ImportPreview) Count() (chosen, wrong, mended int) {
	for _, r := range p.Rows {
		switch {
		case r.Leave:
			continue
		case r.Wrong():
			wrong++
		case len(r.Mended) > 0:
			mended++
		}
		chosen++
	}
	return chosen, wrong, mended
}

// Refusal says that the plan has no room for the chosen outlets; nil while it has.
func (p ImportPreview) Refusal() *errs.Error {
	chosen, _, _ := p.Count()
	if refusal := p.Places.Refusal(); refusal != nil || chosen <= p.Left() {
		return refusal
	}
	return errs.New(errs.KindLimit, "limit_reached", fmt.Sprintf("Your plan has room for %d more outlets, and %d rows are chosen. Leave out rows, or extend. %s",
		p.Left(), chosen, p.extension())).With("current", p.Used).With("limit", p.Plan.FranchiseLimit)
}

// Notice says that the plan has no room for some rows, and what helps; empty while it has.
func (p ImportPreview) Notice() string {
	switch refusal := p.Refusal(); {
	case refusal != nil:
		return refusal.Message
	case p.Beyond > 0:
		return fmt.Sprintf("Your plan has room for %d more outlets, so %d rows are left out. %s", p.Left(), p.Beyond, p.extension())
	}
	return ""
}

// Imports holds the use cases of importing outlets and their partners.
type Imports struct {
	outlets  *Service
	partners *Partners
}

// NewImports returns the imports of the outlets and partners.
func NewImports(outlets *Service, partners *Partners) *Imports {
	return wiring.Complete(&Imports{outlets: outlets, partners: partners})
}

// Check mends and checks the rows, and writes nothing. At the first check it leaves out doubtful rows, and those beyond the plan's limit.
func (s *Imports) Check(ctx context.Context, ref tenant.Ref, drafts []Draft, first bool) (p ImportPreview, err error) {
	err = postgres.InTenantTx(ctx, s.outlets.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		p, err = s.checkTx(ctx, tx, ref, drafts, first)
		return err
	})
	return p, err
}

func (s *Imports) checkTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, drafts []Draft, first bool) (p ImportPreview, err error) {
	if p.Places, err = s.outlets.places(ctx, tx, ref); err != nil {
		return p, err
	}
	directory, err := address.DirectoryTx(ctx, tx)
	if err != nil {
		return p, err
	}
	there, err := importedNames(ctx, tx, ref)
	if err != nil {
		return p, err
	}
	people, err := partners(ctx, tx, ref)
	if err != nil {
		return p, err
	}
	known := map[string]string{}
	for _, one := range people {
		known[one.Mobile] = one.Name
	}
	dup := duplicates{names: map[string]string{}, codes: map[string]string{}, alike: map[string]string{}}
	for _, o := range there {
		dup.add(o.Name, o.Code, o.City, "")
	}
	left, invited := p.Left(), map[string]string{}
	for _, d := range drafts {
		row := mend(directory, d)
		if d.Closed {
			row.Doubt = sentence(i18n.Mark("The remark says that this outlet is closed."))
			row.Leave = row.Leave || first
		}
		if !row.Leave || first {
			dup.judge(&row)
		}
		row.notePartner(known)
		if first && row.Doubt.English != "" {
			row.Leave = true
		}
		if first && !row.Leave {
			if left--; left < 0 {
				row.Leave, row.Doubt = true, sentence(i18n.Mark("Your plan has no room for this outlet."))
				p.Beyond++
			}
		}
		if mobile := row.partner.Mobile; !row.Leave && !row.Wrong() && mobile != "" && known[mobile] == "" {
			if name, there := invited[mobile]; !there {
				invited[mobile] = row.partner.Name
			} else if name != row.partner.Name {
				row.Notes = append(row.Notes, sentence(i18n.Mark("An earlier row has this mobile number with the name {1}, who is invited."), name))
			}
		}
		p.Rows = append(p.Rows, row)
	}
	p.Invited = len(invited)
	return p, nil
}

// notePartner says which partner of the row is not invited.
func (row *ImportRow) notePartner(known map[string]string) {
	name, mobile := row.Values[FieldPartnerName], row.partner.Mobile
	switch {
	case name != "" && row.Values[FieldPartnerMobile] == "":
		row.Notes = append(row.Notes, sentence(i18n.Mark("{1} has no mobile number and is not invited."), name))
	case mobile != "" && known[mobile] != "":
		row.Notes = append(row.Notes, sentence(i18n.Mark("{1} is a partner already and runs this outlet too."), known[mobile]))
	}
}

// duplicates finds outlets with the name or code of an earlier row or of an existing outlet. Each value is the line of that row, empty for an
// existing outlet.
type duplicates struct{ names, codes, alike map[string]string }

func alike(name, city string) string { return address.Key(name) + "|" + address.Key(city) }

func (d duplicates) add(name, code, city, line string) {
	d.names[strings.ToLower(name)] = line
	d.alike[alike(name, city)] = line
	if code != "" {
		d.codes[code] = line
	}
}

// judge marks the row if it is a duplicate. An outlet with the name of one in another city gets its city behind the name.
func (d duplicates) judge(row *ImportRow) {
	in := &row.input
	if in.Name == "" {
		return
	}
	line, same := d.names[strings.ToLower(in.Name)]
	_, twin := d.alike[alike(in.Name, in.City)]
	if longer := in.Name + ", " + in.City; same && !twin && in.City != "" && len([]rune(longer)) <= maxName {
		if _, taken := d.names[strings.ToLower(longer)]; !taken {
			row.Mended = append(row.Mended, Mend{FieldName, in.Name, longer, sentence(i18n.Mark("Another outlet has this name, so the city was added"))})
			row.Values[FieldName], in.Name, same = longer, longer, false
		}
	}
	switch {
	case same && line == "":
		row.Doubt = sentence(i18n.Mark("You already have an outlet with this name."))
		row.Errors[FieldName] = row.Doubt
	case same:
		row.Errors[FieldName] = sentence(i18n.Mark("Line {1} has the same name."), line)
	case twin && d.alike[alike(in.Name, in.City)] == "":
		row.Doubt = sentence(i18n.Mark("You already have an outlet with nearly this name in this city."))
	case twin:
		row.Doubt = sentence(i18n.Mark("Line {1} has nearly the same name in this city."), d.alike[alike(in.Name, in.City)])
	}
	if line, same := d.codes[in.Code]; in.Code != "" && same {
		row.Errors[FieldCode] = sentence(i18n.Mark("You already have an outlet with this code."))
		if line != "" {
			row.Errors[FieldCode] = sentence(i18n.Mark("Line {1} has the same code."), line)
		}
	}
	if !row.Wrong() && !row.Leave {
		d.add(in.Name, in.Code, in.City, strconv.Itoa(row.Line))
	}
}

// Import adds the outlets of the chosen rows in one transaction, or none. It invites their new partners only if invite confirms that these
// agreed. The same key returns the import that ran before.
func (s *Imports) Import(ctx context.Context, ref tenant.Ref, drafts []Draft, key string, invite bool) (p ImportPreview, err error) {
	if !id.Valid(key) {
		return p, errs.NotFound()
	}
	if len(drafts) > MaxImportRows {
		return p, badSheet(i18n.Mark("A sheet can have 500 outlets at most. Split it."))
	}
	err = postgres.InTenantTx(ctx, s.outlets.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		if err := tenant.LockTx(ctx, tx, ref); err != nil {
			return err
		}
		made, err := imported(ctx, tx, ref, key)
		if err != nil {
			return err
		}
		if len(made) > 0 {
			return sameImport(made, drafts)
		}
		if p, err = s.checkTx(ctx, tx, ref, drafts, false); err != nil {
			return err
		}
		if err := p.refused(); err != nil {
			return err
		}
		return s.insertTx(ctx, tx, ref, p, key, invite)
	})
	return p, err
}

// sameImport returns ErrImportDone if an earlier import with the key was undone, or added another number of outlets.
func sameImport(made []ImportedOutlet, drafts []Draft) error {
	chosen := 0
	for _, d := range drafts {
		if !d.Leave {
			chosen++
		}
	}
	if chosen != len(made) || slices.ContainsFunc(made, func(o ImportedOutlet) bool { return o.RemovedAt != nil }) {
		return ErrImportDone
	}
	return nil
}

func (p ImportPreview) refused() error {
	chosen, wrong, _ := p.Count()
	switch refusal := p.Refusal(); {
	case wrong > 0:
		return ErrImportRows
	case chosen == 0:
		return ErrImportEmpty
	case refusal != nil:
		return refusal
	}
	return nil
}

func (s *Imports) insertTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, p ImportPreview, key string, invite bool) error {
	now := s.outlets.clock.Now()
	people, err := partners(ctx, tx, ref)
	if err != nil {
		return err
	}
	if invite && len(people)+p.Invited > maxPartners {
		return errPartnersFull
	}
	byMobile := map[string]string{}
	for _, one := range people {
		byMobile[one.Mobile] = one.ID
	}
	for _, row := range p.Rows {
		if row.Leave {
			continue
		}
		if row.partner.Mobile != "" && byMobile[row.partner.Mobile] == "" && invite {
			one, err := s.partners.inviteTx(ctx, tx, ref, row.partner, key)
			if err != nil {
				return err
			}
			byMobile[one.Mobile] = one.ID
		}
		o := row.input.outlet(Outlet{ID: id.New(), State: row.state, Revision: 1, CreatedAt: now})
		o.PartnerID = byMobile[row.partner.Mobile]
		if err := insert(ctx, tx, ref, o, "", key); err != nil {
			return err
		}
		if err := insertEvent(ctx, tx, ref, o.ID, ownerActor, "added", map[string]any{"state": o.State, "import_id": key}, now); err != nil {
			return err
		}
	}
	return nil
}

// ImportedOutlet is an outlet of an import. Stays says why an undo leaves it; empty if nothing happened to it since.
type ImportedOutlet struct {
	ID           string       `db:"id"`
	Name         string       `db:"name"`
	City         string       `db:"city"`
	Revision     int          `db:"revision"`
	CreatedAt    time.Time    `db:"created_at"`
	RemovedAt    *time.Time   `db:"removed_at"`
	PartnerState PartnerState `db:"partner_state"`
}

// Stays says why an undo leaves the outlet; empty if nothing happened to it since.
func (o ImportedOutlet) Stays() string {
	switch {
	case o.Revision > 1:
		return i18n.Mark("It was changed since.")
	case o.PartnerState == PartnerActive:
		return i18n.Mark("Its partner has accepted the invitation.")
	}
	return ""
}

// ImportResult names the outlets and partners that an import added.
type ImportResult struct {
	ID string
	At time.Time
	// Outlets are the remaining outlets. Removed counts the outlets that an undo deleted.
	Outlets []ImportedOutlet
	Removed int
	// Invited counts the remaining partners. Later counts the partners whose invitation goes out after now, the last at LastAt.
	Invited, Later int
	LastAt         time.Time
	// UndoUntil is when the time to undo ends; Undoable counts the outlets that an undo takes away.
	UndoUntil time.Time
	Undoable  int
}

// Find returns the result of an import, or errs.NotFound.
func (s *Imports) Find(ctx context.Context, ref tenant.Ref, importID string) (r ImportResult, err error) {
	if !id.Valid(importID) {
		return r, errs.NotFound()
	}
	err = postgres.InTenantTx(ctx, s.outlets.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		r, err = s.findTx(ctx, tx, ref, importID)
		return err
	})
	return r, err
}

func (s *Imports) findTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, importID string) (ImportResult, error) {
	made, err := imported(ctx, tx, ref, importID)
	if err != nil || len(made) == 0 {
		return ImportResult{}, cmp.Or(err, error(errs.NotFound()))
	}
	now := s.outlets.clock.Now()
	r := ImportResult{ID: importID, At: made[0].CreatedAt, UndoUntil: made[0].CreatedAt.Add(UndoLife)}
	for _, o := range made {
		if o.RemovedAt != nil {
			r.Removed++
			continue
		}
		r.Outlets = append(r.Outlets, o)
		if o.Stays() == "" && now.Before(r.UndoUntil) {
			r.Undoable++
		}
	}
	invited, err := invitedBy(ctx, tx, ref, importID)
	for _, at := range invited {
		r.Invited++
		if at.After(now) {
			r.Later++
			r.LastAt = at
		}
	}
	return r, err
}

// Latest returns the id of the newest import that can still be undone; empty without one.
func (s *Imports) Latest(ctx context.Context, ref tenant.Ref) (importID string, err error) {
	err = postgres.InTenantTx(ctx, s.outlets.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		importID, err = latestImport(ctx, tx, ref, s.outlets.clock.Now().Add(-UndoLife))
		return err
	})
	return importID, err
}

// Undo takes away the outlets of an import to which nothing happened since, and its partners who have not accepted and run no other outlet.
func (s *Imports) Undo(ctx context.Context, ref tenant.Ref, importID string) error {
	if !id.Valid(importID) {
		return errs.NotFound()
	}
	now := s.outlets.clock.Now()
	return postgres.InTenantTx(ctx, s.outlets.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		if err := tenant.LockTx(ctx, tx, ref); err != nil {
			return err
		}
		r, err := s.findTx(ctx, tx, ref, importID)
		if err != nil {
			return err
		}
		if !now.Before(r.UndoUntil) {
			return ErrImportOld
		}
		for _, o := range r.Outlets {
			if o.Stays() != "" {
				continue
			}
			if err := removeImported(ctx, tx, ref, o.ID, now); err != nil {
				return err
			}
			if err := insertEvent(ctx, tx, ref, o.ID, ownerActor, "removed", map[string]any{"import_id": importID}, now); err != nil {
				return err
			}
		}
		idle, err := idlePartners(ctx, tx, ref, importID)
		if err != nil {
			return err
		}
		for _, partnerID := range idle {
			if err := removePartner(ctx, tx, ref, partnerID, now); err != nil {
				return err
			}
			if err := insertEvent(ctx, tx, ref, nil, ownerActor, "partner_removed", map[string]any{"partner_id": partnerID, "import_id": importID}, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// ImportSample returns the rows of a sample sheet: the headings and two outlets.
func ImportSample(l i18n.Language) [][]string {
	headings := []string{
		l.Say(i18n.Mark("Outlet name")), l.Say("City"), l.Say("State"), l.Say("Address"), l.Say(i18n.Mark("Pincode")), l.Say("Phone"), l.Say("Code"),
		l.Say("Opening hours"), l.Say("Status"), l.Say(i18n.Mark("Partner name")), l.Say(i18n.Mark("Partner mobile")),
	}
	return [][]string{
		headings,
		{"MG Road", "Pune", "Maharashtra", "Shop 4, MG Road", "411001", "98220 11223", "PN-01", "10:00-22:00", l.Say("Open"), "Asha Kulkarni", "98220 11223"},
		{"Kothrud", "Pune", "Maharashtra", "12, Paud Road", "411038", "020-25431234", "PN-02", "10:00-21:00", l.Say("Planned"), "", ""},
	}
}
