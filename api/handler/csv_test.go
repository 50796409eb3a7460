package handler

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/staff"
)

// noting counts recorded reads, or refuses to record.
type noting struct {
	reads   int
	refuses error
}

func (n *noting) NoteRead(context.Context, staff.Principal, staff.Read) error {
	n.reads++
	return n.refuses
}

// sent returns the lines of a list's file, whose pages are given by the ids of their rows.
func sent(t *testing.T, people Reader, fails error, pages ...[]string) ([]string, error) {
	t.Helper()
	w := httptest.NewRecorder()
	c, _ := gin.CreateTestContext(w)
	c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	next := 0
	err := sendList(c, people, listFile{name: "e invoices", header: []string{"Id", "Text"}, page: func(int) ([]listRow, bool, error) {
		if next == len(pages) {
			return nil, true, fails
		}
		rows := make([]listRow, 0, len(pages[next]))
		for _, id := range pages[next] {
			rows = append(rows, listRow{id, []string{id, "=1+1"}})
		}
		next++
		return rows, next < len(pages) || fails != nil, nil
	}})
	if w.Body.Len() == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(strings.TrimPrefix(w.Body.String(), "\uFEFF")), "\n"), err
}

func TestSendList_RowMovesToTheNextPage_IsWrittenOnce(t *testing.T) {
	t.Parallel()
	people := &noting{}
	lines, err := sent(t, people, nil, []string{"a", "b"}, []string{"b", "c"})
	require.NoError(t, err)
	require.Equal(t, []string{"Id,Text", "a,'=1+1", "b,'=1+1", "c,'=1+1"}, lines)
	require.Equal(t, 1, people.reads)
}

func TestSendList_MoreRowsThanItsLimit_SaysSo(t *testing.T) {
	t.Parallel()
	pages := make([][]string, 0, 21)
	for page := range 20 {
		ids := make([]string, 0, exportBatch)
		for row := range exportBatch {
			ids = append(ids, fmt.Sprint(page*exportBatch+row))
		}
		pages = append(pages, ids)
	}
	lines, err := sent(t, &noting{}, nil, append(pages, []string{})...)
	require.NoError(t, err)
	require.Len(t, lines, 1+maxListed)
	require.Equal(t, "9999,'=1+1", lines[maxListed], "whole")
	lines, err = sent(t, &noting{}, nil, append(pages, []string{"10000"})...)
	require.NoError(t, err)
	require.Len(t, lines, 1+maxListed+1)
	require.Equal(t, "Cut here: the list has more rows. Narrow the filters for them.,", lines[maxListed+1])
}

// A list that shows at most one page exports only that page, and says so.
func TestSendList_OnePageOfMoreRows_SaysSo(t *testing.T) {
	t.Parallel()
	shown := false
	w := httptest.NewRecorder()
	c, _ := gin.CreateTestContext(w)
	c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	require.NoError(t, sendList(c, &noting{}, listFile{name: "money", header: []string{"Id"}, page: func(int) ([]listRow, bool, error) {
		if shown {
			return nil, true, nil
		}
		shown = true
		return []listRow{{"a", []string{"a"}}}, true, nil
	}}))
	require.Equal(t, "\uFEFFId\na\nCut here: the list has more rows. Narrow the filters for them.\n", w.Body.String())
	require.Equal(t, `attachment; filename="money.csv"`, w.Header().Get("Content-Disposition"))
}

func TestSendList_UnrecordedOrFailed_SendsNothing(t *testing.T) {
	t.Parallel()
	away := errors.New("the database is away")
	lines, err := sent(t, &noting{refuses: away}, nil, []string{"a"})
	require.ErrorIs(t, err, away)
	require.Empty(t, lines)
	people := &noting{}
	lines, err = sent(t, people, away)
	require.ErrorIs(t, err, away)
	require.Empty(t, lines)
	require.Zero(t, people.reads)
	lines, err = sent(t, people, away, []string{"a"})
	require.ErrorIs(t, err, away, "so that the connection is cut and the file is visibly incomplete")
	require.Equal(t, []string{"Id,Text", "a,'=1+1"}, lines)
}
