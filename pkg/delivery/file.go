package delivery

import (
	"cmp"
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/filetype"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

// maxFiles limits the files of a delivery from each side.
const maxFiles = 10

// File is a logo, a sheet, a screenshot or a document of a delivery. It is in the database, not in the object store: an erasure deletes it, and the
// product may not delete objects.
type File struct {
	ID         string  `db:"id"`
	DeliveryID string  `db:"delivery_id"`
	StaffID    *string `db:"staff_id"` // nil: the customer sent it
	Name       string  `db:"name"`
	// ContentType follows from the first bytes; the sender's type is ignored.
	ContentType string    `db:"content_type"`
	CreatedAt   time.Time `db:"created_at"`
	// Content is empty in lists.
	Content []byte `db:"content"`
}

// newFile returns the file with a clean name. It refuses a file that is empty, too large or of another type.
func newFile(deliveryID, name string, content []byte, staffID *string, now time.Time) (File, error) {
	kind := cmp.Or(filetype.Of(content), filetype.OfSheet(content))
	f := File{ID: id.New(), DeliveryID: deliveryID, StaffID: staffID, ContentType: kind, CreatedAt: now, Content: content}
	switch {
	case len(content) > filetype.MaxBytes:
		return f, filetype.ErrTooLarge()
	case f.ContentType == "":
		return f, errs.Invalid("Please check the marked fields.").Field("file", "Send a PNG, JPEG or WebP image, a PDF, or a sheet as XLSX or CSV (UTF-8).")
	}
	f.Name = filetype.Name(name, f.ContentType)
	return f, nil
}

// addFileTx stores a file for an open or delivered delivery that the caller locked.
func (s store) addFileTx(ctx context.Context, tx *sqlx.Tx, d Delivery, f File) error {
	n, err := s.countFiles(ctx, tx, d, f.StaffID != nil)
	if err != nil {
		return err
	}
	if n >= maxFiles {
		return errs.New(errs.KindConflict, "delivery_files_full", "There are 10 files already.")
	}
	return s.insertFile(ctx, tx, d.FranchiserID, f)
}

// Exists returns errs.NotFound if the customer has no such delivery.
func (s *Service) Exists(ctx context.Context, franchiserID, deliveryID string) error {
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		_, err := s.store.one(ctx, tx, franchiserID, deliveryID)
		return err
	})
}

// AddFile stores a file of the customer for a delivery that is not delivered yet.
func (s *Service) AddFile(ctx context.Context, franchiserID, deliveryID, name string, content []byte) (f File, err error) {
	if f, err = newFile(deliveryID, name, content, nil, s.clock.Now()); err != nil {
		return f, err
	}
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		d, err := s.store.lock(ctx, tx, franchiserID, deliveryID)
		if err != nil {
			return err
		}
		if !d.State.Open() || d.ProofBy != "" {
			return errNothingNeeded()
		}
		return s.store.addFileTx(ctx, tx, d, f)
	})
	return f, err
}

func errNothingNeeded() error {
	return errs.New(errs.KindConflict, "nothing_needed", "We need nothing from you for this any more.")
}

// File returns a file of one of the customer's deliveries, with its content, or errs.NotFound.
func (s *Service) File(ctx context.Context, franchiserID, deliveryID, fileID string) (f File, err error) {
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		f, err = s.store.file(ctx, tx, franchiserID, deliveryID, fileID)
		return err
	})
	return f, err
}

// maxNote is the longest note in characters, as in delivery_events.
const maxNote = 500

// Provide records the customer's answer to the needs of a delivery, in words or files. A waiting delivery is in progress again. Until the
// delivery is delivered, the customer may send a corrected answer, which changes neither its state nor its promised day.
func (s *Service) Provide(ctx context.Context, franchiserID, deliveryID, note string) error {
	note = oneLine(note)
	var v errs.Validation
	v.Check(len([]rune(note)) <= maxNote, "note", "Up to 500 characters.")
	if err := v.Err(); err != nil {
		return err
	}
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		before, err := s.store.lock(ctx, tx, franchiserID, deliveryID)
		if err != nil {
			return err
		}
		if err := s.mayProvideTx(ctx, tx, before); err != nil {
			return err
		}
		files, err := s.store.countFiles(ctx, tx, before, false)
		if err != nil {
			return err
		}
		if note == "" && files == 0 {
			return errs.Invalid("Please check the marked fields.").Field("note", "Write what we need, or add a file.")
		}
		after := before
		after.Revision++
		after.UpdatedAt = s.clock.Now()
		if before.State == StateWaiting {
			if after, err = s.store.with(ctx, tx, before, Change{State: StateInProgress}, s.clock.Now()); err != nil {
				return err
			}
		}
		if err := s.store.save(ctx, tx, after); err != nil {
			return err
		}
		return s.store.insertEvent(ctx, tx, after, event{id: id.New(), kind: eventProvided, from: before.State, note: note, actor: actorCustomer})
	})
}

// mayProvideTx refuses an answer to a delivery that needs nothing.
func (s *Service) mayProvideTx(ctx context.Context, tx *sqlx.Tx, d Delivery) error {
	if d.ProofBy != "" || !d.State.Open() {
		return errNothingNeeded()
	}
	if d.State == StateWaiting {
		return nil
	}
	was, err := s.store.wasProvided(ctx, tx, d)
	if err == nil && !was {
		return errNothingNeeded()
	}
	return err
}

// AddFile stores a file of staff, such as a screenshot that proves the delivery, and records it.
func (d *Desk) AddFile(ctx context.Context, p staff.Principal, franchiserID, deliveryID, name string, content []byte) (File, error) {
	f, err := newFile(deliveryID, name, content, &p.StaffID, d.clock.Now())
	if err != nil {
		return f, err
	}
	err = postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		to, err := d.store.lock(ctx, tx, franchiserID, deliveryID)
		if err != nil {
			return err
		}
		if to.State == StateEnded {
			return errMoved()
		}
		if err := d.store.addFileTx(ctx, tx, to, f); err != nil {
			return err
		}
		return d.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "add_delivery_file", Target: "delivery:" + deliveryID, FranchiserRef: &franchiserID, Reason: "Added a file to it.",
			After: staff.JSON(map[string]any{"file": f.ID, "content_type": f.ContentType}),
		})
	})
	return f, err
}

// File returns a file of a customer's delivery for staff, with its content, or errs.NotFound.
func (d *Desk) File(ctx context.Context, franchiserID, deliveryID, fileID string) (f File, err error) {
	err = postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		f, err = d.store.file(ctx, tx, franchiserID, deliveryID, fileID)
		return err
	})
	return f, err
}
