package otp

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// Volume is how many SMS with codes and notices were requested: in the last day, on an average day of the week before, and how many count
// towards today's ceiling: notices, invitations, and codes for unknown browsers.
type Volume struct {
	LastDay int `db:"last_day"`
	Usual   int `db:"usual"`
	Unknown int `db:"unknown"`
}

const volumeSQL = `
SELECT count(*) FILTER (WHERE created_at > $1::timestamptz - interval '1 day') AS last_day,
    count(*) FILTER (WHERE created_at <= $1::timestamptz - interval '1 day') / 7 AS usual,
    coalesce((SELECT sends FROM code_sends WHERE subject = $2 AND day = $3::date), 0) AS unknown
FROM one_time_codes WHERE created_at > $1::timestamptz - interval '8 days' AND message <> 'none'`

// VolumeTx returns the volume at that moment.
func VolumeTx(ctx context.Context, tx *sqlx.Tx, now time.Time) (v Volume, err error) {
	day, _ := SendDay(now)
	if err := tx.GetContext(ctx, &v, volumeSQL, now, sendsOfAll, day); err != nil {
		return v, fmt.Errorf("count SMS: %w", err)
	}
	return v, nil
}
