package contact

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/filetype"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

// The bounds of files in addition to those of filetype.
const (
	maxFiles = 5
	// maxUnsent is how many files a person may upload without sending them. The worker deletes such files after keepUnsent.
	maxUnsent  = 20
	keepUnsent = 24 * time.Hour
)

// File is a file of a message, without its content.
type File struct {
	ID          string  `db:"id" json:"id"`
	EntryID     *string `db:"entry_id" json:"-"`
	Name        string  `db:"name" json:"name"`
	ContentType string  `db:"content_type" json:"content_type"`
	Size        int     `db:"size" json:"size"`
}

// FileBody is a file with its content.
type FileBody struct {
	File

	Body []byte `db:"body"`
}

// sniffed returns the type of the file by its content, false for a type that is not kept. The file's name and declared type count for nothing.
func sniffed(body []byte) (string, bool) {
	if kind := filetype.Of(body); kind != "" {
		return kind, true
	}
	return "text/plain", filetype.IsText(body)
}

const insertFileSQL = `
INSERT INTO contact_files (id, entry_id, franchiser_ref, staff_ref, name, content_type, size, body, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

// uploader is the customer or the member of staff who uploads a file. Both are nil for a file that came with an e-mail.
type uploader struct{ franchiserID, staffID *string }

func insertFileTx(ctx context.Context, tx *sqlx.Tx, f FileBody, by uploader, now time.Time) error {
	_, err := tx.ExecContext(ctx, insertFileSQL, f.ID, f.EntryID, by.franchiserID, by.staffID, f.Name, f.ContentType, f.Size, f.Body, now)
	if err != nil {
		return fmt.Errorf("insert file of a contact request: %w", err)
	}
	return nil
}

// newUpload returns the file under a new id. It refuses a file that is empty, too large or of another type.
func newUpload(name string, body []byte) (FileBody, error) {
	kind, ok := sniffed(body)
	switch {
	case !ok:
		return FileBody{}, errs.Invalid("Choose a PDF, a picture (PNG, JPEG or WebP) or a plain text file.")
	case len(body) > filetype.MaxBytes:
		return FileBody{}, filetype.ErrTooLarge()
	}
	return FileBody{File: File{ID: id.New(), Name: filetype.Name(name, kind), ContentType: kind, Size: len(body)}, Body: body}, nil
}

// keepUploadTx stores a file for a message that its uploader sends later. It refuses more than maxUnsent unsent files.
func keepUploadTx(ctx context.Context, tx *sqlx.Tx, f FileBody, by uploader, now time.Time) error {
	var unsent int
	const unsentSQL = `SELECT count(*) FROM contact_files WHERE entry_id IS NULL AND (franchiser_ref = $1 OR staff_ref = $2) AND created_at > $3`
	if err := tx.GetContext(ctx, &unsent, unsentSQL, by.franchiserID, by.staffID, now.Add(-keepUnsent)); err != nil {
		return fmt.Errorf("count unsent files: %w", err)
	}
	if unsent >= maxUnsent {
		return errs.New(errs.KindConflict, "too_many_files", "You have uploaded too many files. Send your message with up to five of them, or try again tomorrow.")
	}
	return insertFileTx(ctx, tx, f, by, now)
}

// checkFiles checks the ids of a message's uploads, and sorts them.
func checkFiles(v *errs.Validation, files *[]string) {
	v.Check(len(*files) <= maxFiles, "files", "Add at most five files.")
	slices.Sort(*files)
	*files = slices.Compact(*files)
	v.Check(!slices.ContainsFunc(*files, func(one string) bool { return !id.Valid(one) }), "files", "A file is no longer there. Add it again.")
}

const sendFilesSQL = `
WITH sent AS (
    UPDATE contact_files SET entry_id = $2 WHERE id = ANY ($1) AND entry_id IS NULL AND (franchiser_ref = $3 OR staff_ref = $4) RETURNING size
)
SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM sent`

// sendFilesTx puts the uploads into the message, and returns their size.
func sendFilesTx(ctx context.Context, tx *sqlx.Tx, by uploader, entryID string, files []string) (int, error) {
	if len(files) == 0 {
		return 0, nil
	}
	var sent struct{ Files, Bytes int }
	if err := tx.GetContext(ctx, &sent, sendFilesSQL, pq.StringArray(files), entryID, by.franchiserID, by.staffID); err != nil {
		return 0, fmt.Errorf("send files: %w", err)
	}
	if sent.Files != len(files) {
		return 0, errFiles(i18n.Mark("A file is no longer there. Add it again."))
	}
	return sent.Bytes, nil
}

func errFiles(problem string) error {
	return errs.Invalid("Please check the marked fields.").Field("files", problem)
}

// Upload keeps a file that the member of staff sends with a reply within a day.
func (d *Desk) Upload(ctx context.Context, p staff.Principal, name string, body []byte) (File, error) {
	f, err := newUpload(name, body)
	if err != nil {
		return File{}, err
	}
	return f.File, postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		return keepUploadTx(ctx, tx, f, uploader{staffID: &p.StaffID}, d.clock.Now())
	})
}

// attachTx puts the uploads of the member of staff into the reply. E-mail carries them, and a customer reads them in the account.
func (d *Desk) attachTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, r Request, e Entry, files []string) error {
	if len(files) > 0 && e.Channel == ChannelWhatsApp && r.FranchiserID == nil {
		return errFiles("WhatsApp carries no files, and this person has no account in which to read them. Send the reply without files.")
	}
	size, err := sendFilesTx(ctx, tx, uploader{staffID: &p.StaffID}, e.ID, files)
	if err == nil && size > message.MaxAttached {
		return errFiles("The files of one reply may have at most 8 MB together.")
	}
	return err
}

// withFilesTx fills in the files of the entries.
func withFilesTx(ctx context.Context, tx *sqlx.Tx, list []Entry) error {
	ids := make(pq.StringArray, 0, len(list))
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	var files []File
	err := tx.SelectContext(ctx, &files, `SELECT id, entry_id, name, content_type, size FROM contact_files WHERE entry_id = ANY ($1) ORDER BY created_at, id`, ids)
	if err != nil {
		return fmt.Errorf("list files of a contact request: %w", err)
	}
	for i := range list {
		list[i].Files = []File{}
		for _, f := range files {
			if *f.EntryID == list[i].ID {
				list[i].Files = append(list[i].Files, f)
			}
		}
	}
	return nil
}

const fileSQL = `
SELECT f.id, f.entry_id, f.name, f.content_type, f.size, f.body FROM contact_files f JOIN contact_entries e ON e.id = f.entry_id
    JOIN contact_requests c ON c.id = e.contact_id
WHERE f.id = $1 AND c.id = $2 AND `

// fileTx returns a file of the request if the condition visible holds for the request c, else KindNotFound.
func fileTx(ctx context.Context, tx *sqlx.Tx, visible, fileID, contactID string, args ...any) (FileBody, error) {
	var found []FileBody
	if err := tx.SelectContext(ctx, &found, fileSQL+visible, append([]any{fileID, contactID}, args...)...); err != nil {
		return FileBody{}, fmt.Errorf("read file of a contact request: %w", err)
	}
	if len(found) == 0 {
		return FileBody{}, errs.NotFound()
	}
	return found[0], nil
}

// File returns a file of a request that the member of staff may see, or KindNotFound.
func (d *Desk) File(ctx context.Context, contactID, fileID string) (f FileBody, err error) {
	return f, postgres.InRead(ctx, d.db, func(tx *sqlx.Tx) error {
		f, err = fileTx(ctx, tx, visibleSQL, fileID, contactID)
		return err
	})
}
