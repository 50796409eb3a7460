package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

const (
	// archivingFails is how long Postgres may fail to archive a segment, which it tries again each minute.
	archivingFails = 5 * time.Minute
	// slotHolds is how much WAL an inactive replication slot may retain: enough for a standby's restart.
	slotHolds = 1 << 30
)

// WAL is what keeps Postgres from deleting its log, which fills its disk.
type WAL struct {
	// Unarchived is how many seconds ago Postgres last archived a segment, if its last attempt failed; 0 otherwise.
	Unarchived int64  `db:"unarchived"`
	Segment    string `db:"segment"`
	Slots      []Slot
}

// Slot is a replication slot that no standby uses, and the bytes of WAL that it holds back.
type Slot struct {
	Name string `db:"name"`
	Held int64  `db:"held"`
}

// A success after the failure has a later time. Statistics outlive archive_mode.
const archivingSQL = `
SELECT CASE WHEN current_setting('archive_mode') <> 'off' AND last_failed_time > coalesce(last_archived_time, '-infinity')
        THEN greatest(extract(epoch FROM clock_timestamp() - coalesce(last_archived_time, stats_reset, last_failed_time)), 1)::bigint ELSE 0 END AS unarchived,
    coalesce(last_failed_wal, '') AS segment
FROM pg_stat_archiver`

// A slot without a restart position holds nothing back yet, or no more since Postgres invalidated it.
const slotsSQL = `
SELECT slot_name::text AS name, greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::bigint AS held
FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL AND wal_status <> 'lost' ORDER BY 1`

// walTx reads statistics that every role may read.
func walTx(ctx context.Context, tx *sqlx.Tx) (WAL, error) {
	var w WAL
	if err := tx.GetContext(ctx, &w, archivingSQL); err != nil {
		return w, fmt.Errorf("look at the archiving of WAL: %w", err)
	}
	if err := tx.SelectContext(ctx, &w.Slots, slotsSQL); err != nil {
		return w, fmt.Errorf("look at the replication slots: %w", err)
	}
	return w, nil
}

func failingArchiving(s Sight, _ Thresholds) []Finding {
	if seconds(s.WAL.Unarchived) <= archivingFails {
		return nil
	}
	return []Finding{{Severity: Critical, Message: fmt.Sprintf(
		"Postgres has archived no WAL for %s: its command fails at segment %s. The disk fills up until the site stops, and a restore to a point in time ends before it.",
		span(seconds(s.WAL.Unarchived)), s.WAL.Segment)}}
}

func holdingSlots(s Sight, _ Thresholds) []Finding {
	var found []Finding
	for _, slot := range s.WAL.Slots {
		if slot.Held > slotHolds {
			found = append(found, Finding{Subject: slot.Name, Severity: Critical, Size: int(slot.Held >> 30), Message: fmt.Sprintf(
				"The replication slot %s has no standby and holds %d GiB of WAL: the disk fills up until the site stops.", slot.Name, slot.Held>>30)})
		}
	}
	return found
}
