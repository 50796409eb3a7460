package handler_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// pageOf parses the page requested by a query.
func pageOf(t *testing.T, query url.Values) (handler.Page, error) {
	t.Helper()
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/list?"+query.Encode(), http.NoBody)
	return handler.ParsePage(c)
}

func TestPageOf_OutOfRange_IsRefused(t *testing.T) {
	t.Parallel()
	p, err := pageOf(t, nil)
	require.NoError(t, err)
	require.Equal(t, handler.Page{Number: 1, PerPage: 10}, p)
	require.Zero(t, p.Offset())
	for name, c := range map[string]struct {
		key, value string
		passes     bool
	}{
		"the first":          {"page", "1", true},
		"the last":           {"page", "1000000", true},
		"beyond the last":    {"page", "1000001", false},
		"zero":               {"page", "0", false},
		"before the first":   {"page", "-1", false},
		"half a page":        {"page", "1.5", false},
		"a page in words":    {"page", "two", false},
		"beyond 64 bits":     {"page", "9223372036854775808", false},
		"Devanagari digits":  {"page", "१", false},
		"one row":            {"per_page", "1", true},
		"a hundred rows":     {"per_page", "100", true},
		"a row more":         {"per_page", "101", false},
		"no rows":            {"per_page", "0", false},
		"a hundred letters":  {"search", strings.Repeat("क", 100), true},
		"a letter more":      {"search", strings.Repeat("क", 101), false},
		"NUL":                {"search", "a\x00", false},
		"a turned direction": {"search", "a\u202eb", false},
		"no UTF-8":           {"search", "\xff", false},
		"signs of a pattern": {"search", "100%_'\\", true},
	} {
		_, err := pageOf(t, url.Values{c.key: {c.value}})
		if c.passes {
			require.NoError(t, err, name)
			continue
		}
		require.Contains(t, errs.As(err).Fields, c.key, name)
	}
	_, err = pageOf(t, url.Values{"page": {"0"}, "per_page": {"0"}, "search": {"\x00"}})
	require.Len(t, errs.As(err).Fields, 3, "all at once")
	p, err = pageOf(t, url.Values{"page": {"1000000"}, "per_page": {"100"}})
	require.NoError(t, err)
	require.Equal(t, 99_999_900, p.Offset())
}
