package middleware

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// CookieWritten holds the position of the database's log that includes everything the browser wrote.
const CookieWritten = "f360_written"

// writtenLife is longer than the maximum age of a replica, which then contains the write anyway.
const writtenLife = time.Minute

// HeaderReadFrom is standby on an answer that a standby gave while the primary database is away: it holds what was committed until a few
// seconds before that, and nothing can be changed.
const HeaderReadFrom = "X-Read-From"

// Replica serves reads that may be a little old; postgres.Replica implements it.
type Replica interface {
	Mark(ctx context.Context) postgres.LSN
	Admit(ctx context.Context, mark postgres.LSN) context.Context
}

// ReadYourWrites lets a replica serve calls that change nothing, once it has the browser's earlier writes. After every other call, and
// after reads on the telling routes, which report workers' results, the browser keeps the position of the log.
func ReadYourWrites(r Replica, k Cookies, telling ...string) gin.HandlerFunc {
	return func(c *gin.Context) {
		ctx := c.Request.Context()
		mark := sync.OnceFunc(func() {
			position := r.Mark(ctx)
			if position == postgres.NeverReplayed && len(c.Errors) > 0 {
				return // the request failed: the browser relies on no write
			}
			k.write(c, CookieWritten, position.String(), devicePath, writtenLife, true)
		})
		if isSafe(c.Request.Method) && !slices.Contains(telling, c.FullPath()) {
			admitted := r.Admit(ctx, k.written(c))
			c.Request = c.Request.WithContext(admitted)
			mark = func() {
				if postgres.IsOld(admitted) {
					c.Header(HeaderReadFrom, "standby")
				}
			}
		}
		c.Writer = &markingWriter{ResponseWriter: c.Writer, mark: mark}
		c.Next()
		mark() // a response without a body is sent by the engine
	}
}

// written returns the position that a replica must have replayed for this browser.
func (k Cookies) written(c *gin.Context) postgres.LSN {
	text := k.read(c, CookieWritten)
	if text == "" {
		return 0
	}
	lsn, err := postgres.ParseLSN(text)
	if err != nil {
		return postgres.NeverReplayed
	}
	return lsn
}

// markingWriter marks the response before its headers are sent, when the handler has committed.
type markingWriter struct {
	gin.ResponseWriter
	mark func()
}

// WriteHeaderNow sends the headers.
func (w *markingWriter) WriteHeaderNow() {
	w.mark()
	w.ResponseWriter.WriteHeaderNow()
}

// Write writes to the body.
func (w *markingWriter) Write(b []byte) (int, error) {
	w.mark()
	return w.ResponseWriter.Write(b) // passes net/http's error through
}

// WriteString writes to the body.
func (w *markingWriter) WriteString(s string) (int, error) {
	w.mark()
	return w.ResponseWriter.WriteString(s) // passes net/http's error through
}

// Flush sends the buffered data.
func (w *markingWriter) Flush() {
	w.mark()
	w.ResponseWriter.Flush()
}
