// Package sandbox holds the common parts of the payment gateway sandboxes: API failures on demand, the clock that follows the product's
// development clock, bank working days, and JSON. Each gateway's specifics are in its own program.
package sandbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	_ "github.com/lib/pq" // the driver of the development clock
)

// maxBody limits the size of a control call's body, in bytes.
const maxBody = 1 << 16

// Clock returns business time, which is machine time plus the offset of the development clock shared by the product's
// processes, and a function that closes it. Without a data source name it is machine time.
func Clock(ctx context.Context, dsn string, logger *slog.Logger) (now func() time.Time, closeClock func() error, err error) {
	if dsn == "" {
		// Without the monotonic reading, by which days would be compared on a machine whose clock was set.
		return func() time.Time { return time.Now().Round(0) }, func() error { return nil }, nil
	}
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return nil, nil, fmt.Errorf("open the development clock: %w", err)
	}
	db.SetMaxOpenConns(1)
	return func() time.Time {
		var offset int64
		err := db.QueryRowContext(ctx, `SELECT offset_seconds FROM dev.clock`).Scan(&offset)
		if err != nil && ctx.Err() == nil {
			logger.Error("development clock", slog.String("error", err.Error()))
		}
		return time.Now().Add(time.Duration(offset) * time.Second)
	}, db.Close, nil
}

// Duration parses a setting such as 20s, or returns the default if it is empty.
func Duration(env func(string) string, name string, otherwise time.Duration) (time.Duration, error) {
	text := env(name)
	if text == "" {
		return otherwise, nil
	}
	value, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", name, err)
	}
	return value, nil
}

// ReadJSON reads a control call's body of at most 64 KiB and rejects unknown fields.
func ReadJSON(w http.ResponseWriter, r *http.Request, into any) error {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("read the JSON body: %w", err)
	}
	return nil
}

// WriteJSON answers with a JSON body.
func WriteJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller may have gone
}

// WriteError answers a control call with `error`.
func WriteError(w http.ResponseWriter, status int, err error) {
	WriteJSON(w, status, map[string]string{"error": err.Error()})
}
