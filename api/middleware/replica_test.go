package middleware_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// replica records its calls; its primary is wherever the last write left it.
type replica struct {
	written  postgres.LSN
	admitted []postgres.LSN
}

func (r *replica) Mark(context.Context) postgres.LSN { return r.written }

func (r *replica) Admit(ctx context.Context, mark postgres.LSN) context.Context {
	r.admitted = append(r.admitted, mark)
	return ctx
}

func TestReadYourWrites_BrowserKeepsThePositionOfItsWrites(t *testing.T) {
	t.Parallel()
	gin.SetMode(gin.ReleaseMode)
	const name = "__Host-" + middleware.CookieWritten
	r := &replica{}
	e := gin.New()
	e.Use(middleware.ReadYourWrites(r, cookies(t), "/told/:id"))
	write := func(status int, body string) gin.HandlerFunc {
		return func(c *gin.Context) {
			r.written = 0x16_000000A8 // committed by the handler
			if body != "" {
				c.String(status, body)
				return
			}
			c.Status(status)
		}
	}
	e.POST("/body", write(http.StatusOK, "written"))
	e.POST("/no-body", write(http.StatusNoContent, ""))
	e.DELETE("/failed", write(http.StatusServiceUnavailable, "perhaps written"))
	e.GET("/told/:id", write(http.StatusOK, "a worker wrote this"))
	e.GET("/list", func(c *gin.Context) { c.String(http.StatusOK, "rows") })
	call := func(method, path, cookie string) []*http.Cookie {
		r.written = 1
		request := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
		if cookie != "" {
			request.AddCookie(&http.Cookie{Name: name, Value: cookie})
		}
		recorder := httptest.NewRecorder()
		e.ServeHTTP(recorder, request)
		response := recorder.Result()
		require.NoError(t, response.Body.Close())
		return response.Cookies()
	}

	for _, c := range [][2]string{{"POST", "/body"}, {"POST", "/no-body"}, {"DELETE", "/failed"}, {"GET", "/told/7"}} {
		set := call(c[0], c[1], "")
		require.Len(t, set, 1, c)
		require.Equal(t, name, set[0].Name)
		require.Equal(t, "16/A8", set[0].Value, "%v: the position after the commit", c)
		require.True(t, set[0].HttpOnly && set[0].Secure)
		require.Equal(t, 60, set[0].MaxAge)
	}
	require.Empty(t, r.admitted, "the replica serves none of these")

	e.POST("/refused", func(c *gin.Context) {
		r.written = postgres.NeverReplayed
		_ = c.Error(errs.Unavailable(nil))
	})
	require.Empty(t, call("POST", "/refused", ""), "whose write failed while the primary is away keeps the earlier position")

	for _, cookie := range []string{"", "16/A8", "of another's making"} {
		require.Empty(t, call("GET", "/list", cookie))
	}
	require.Equal(t, []postgres.LSN{0, 0x16_000000A8, postgres.NeverReplayed}, r.admitted)
}
