package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// What a backup saved: the rows and the documents, the rows alone, or what another program than ours saved.
const (
	SavedEverything = "everything"
	SavedDatabase   = "database"
	SavedElsewhere  = "elsewhere"
)

// NoteBackupSQL records a backup of the moment $1 that saved $2, with the rights of the tables' owner. ForgetBackupsSQL deletes records
// more than 400 days older than $1.
const (
	NoteBackupSQL    = `INSERT INTO backups (saved_at, saved) VALUES ($1, $2)`
	ForgetBackupsSQL = `DELETE FROM backups WHERE saved_at < $1::timestamptz - interval '400 days'`

	lastBackupSQL = `SELECT max(saved_at) FROM backups`
)

// lastBackupTx returns the moment of the last backup, or of the migration that began to count them; nil if nothing was noted.
func lastBackupTx(ctx context.Context, tx *sqlx.Tx) (at *time.Time, err error) {
	if err := tx.GetContext(ctx, &at, lastBackupSQL); err != nil {
		return nil, fmt.Errorf("find the last backup: %w", err)
	}
	return at, nil
}

func missingBackup(s Sight, t Thresholds) []Finding {
	if t.BackupMissing == 0 || s.BackupAge <= t.BackupMissing {
		return nil
	}
	return []Finding{{Severity: Critical, Message: fmt.Sprintf("The data was last saved %s ago: the terms promise a backup a day.", span(s.BackupAge))}}
}

func backupLimit(t Thresholds) string {
	if t.BackupMissing == 0 {
		return "off"
	}
	return span(t.BackupMissing)
}
