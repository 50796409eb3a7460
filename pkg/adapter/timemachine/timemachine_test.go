package timemachine_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	adapter "github.com/franchise360/franchise360/pkg/adapter/timemachine"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

const key = "a-key-of-more-than-24-characters"

func TestAsk_SendsTheKeyAndReadsTheAnswer(t *testing.T) {
	t.Parallel()
	q := timemachine.Question{FranchiserID: id.New(), Months: 13, Pays: timemachine.PaysOnTime}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got timemachine.Question
		if r.Method != http.MethodPost || r.URL.Path != "/ask" || r.Header.Get("Authorization") != "Bearer "+key ||
			json.NewDecoder(r.Body).Decode(&got) != nil || got != q {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = w.Write([]byte(`{"state": "done", "entries": [{"kind": "document", "amount_paise": 1475000}]}`))
	}))
	t.Cleanup(server.Close)
	a, err := adapter.New(config.TimeMachine{URL: server.URL, Key: key}).Ask(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, timemachine.StateDone, a.State)
	require.EqualValues(t, 1475000, *a.Entries[0].Amount)
}

func TestAsk_EachRefusal_HasItsError(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]error{
		http.StatusNotFound: errs.NotFound(), http.StatusServiceUnavailable: timemachine.ErrBusy,
		http.StatusInternalServerError: timemachine.ErrFailed, http.StatusUnauthorized: timemachine.ErrFailed,
		http.StatusFound: timemachine.ErrFailed,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
		}))
		_, err := adapter.New(config.TimeMachine{URL: server.URL, Key: key}).Ask(t.Context(), timemachine.Question{})
		require.ErrorIs(t, err, want, status)
		server.Close()
		_, err = adapter.New(config.TimeMachine{URL: server.URL, Key: key}).Ask(t.Context(), timemachine.Question{})
		require.ErrorIs(t, err, timemachine.ErrFailed, "nobody answers")
	}
}

func TestNew_WithoutAnAddress_ReturnsNil(t *testing.T) {
	t.Parallel()
	require.Nil(t, adapter.New(config.TimeMachine{}))
}
