package webhook

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// The schedule that Standard Webhooks 1.0 recommends: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h.
func TestRetryAfter_EqualsTheScheduleOfStandardWebhooks(t *testing.T) {
	t.Parallel()
	for attempt, want := range []string{"5s", "5s", "5m0s", "30m0s", "2h0m0s", "5h0m0s", "10h0m0s", "14h0m0s", "20h0m0s", "24h0m0s", "24h0m0s"} {
		require.Equal(t, want, RetryAfter(attempt).String(), "after attempt %d", attempt)
	}
	require.Equal(t, "5s", RetryAfter(-1).String())
	require.Equal(t, "24h0m0s", RetryAfter(1_000).String())
}

func TestAnswerOk_Only2xx(t *testing.T) {
	t.Parallel()
	for status, yes := range map[int]bool{0: false, 100: false, 199: false, 200: true, 204: true, 299: true, 300: false, 304: false, 410: false, 500: false} {
		require.Equal(t, yes, Answer{Status: status}.Ok(), status)
	}
}

func TestEndpointInput_BeyondItsLimits_IsRefused(t *testing.T) {
	t.Parallel()
	good := EndpointInput{URL: "https://erp.example.in/hooks", Description: "Orders and stock"}
	times := func(n int) []Kind {
		list := make([]Kind, n)
		for i := range list {
			list[i] = Kinds()[i%len(Kinds())]
		}
		return list
	}
	for name, c := range map[string]struct {
		change func(*EndpointInput)
		field  string
	}{
		"two letters":             {func(in *EndpointInput) { in.Description = " ER " }, ""},
		"one letter":              {func(in *EndpointInput) { in.Description = " E " }, "description"},
		"80 letters":              {func(in *EndpointInput) { in.Description = strings.Repeat("क", 80) }, ""},
		"81 letters":              {func(in *EndpointInput) { in.Description = strings.Repeat("क", 81) }, "description"},
		"every event":             {func(in *EndpointInput) { in.Kinds = Kinds() }, ""},
		"50 events, again":        {func(in *EndpointInput) { in.Kinds = times(50) }, ""},
		"51 events":               {func(in *EndpointInput) { in.Kinds = times(51) }, "kinds"},
		"an event of no release":  {func(in *EndpointInput) { in.Kinds = []Kind{"account.created", "account.deleted"} }, "kinds"},
		"a test is no choice":     {func(in *EndpointInput) { in.Kinds = []Kind{KindTest} }, "kinds"},
		"an event of no name":     {func(in *EndpointInput) { in.Kinds = []Kind{""} }, "kinds"},
		"an address with a blank": {func(in *EndpointInput) { in.URL = "  https://erp.example.in/hooks\n" }, ""},
	} {
		in := good
		c.change(&in)
		got, err := in.check(false)
		if c.field != "" {
			require.Len(t, errs.As(err).Fields, 1, name)
			require.Contains(t, errs.As(err).Fields, c.field, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, "https://erp.example.in/hooks", got.URL)
		require.LessOrEqual(t, len(got.Kinds), len(Kinds()), "%s: each once", name)
		require.IsNonDecreasing(t, append([]Kind{""}, got.Kinds...), name)
		require.NotNil(t, got.Kinds, "none means all, and is none in the database too")
	}
	given := []Kind{"tenant.live", "account.created"}
	_, err := EndpointInput{URL: good.URL, Description: "ERP", Kinds: given}.check(false)
	require.NoError(t, err)
	require.Equal(t, []Kind{"tenant.live", "account.created"}, given, "what was given is left as it is")
}

// Receivers compare bytes: each send of an event has the same body, with the time in UTC and the data unchanged.
func TestBody_SameEvent_HasTheSameBytes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 3, 0, 1, 2, 3_000, time.FixedZone("IST", 19_800))
	e := Event{ID: "1", Kind: "invoice.issued", At: at, Data: json.RawMessage(`{"account_id":"1", "b":[1,2]}`)}
	want := `{"type":"invoice.issued","version":1,"timestamp":"2026-11-02T18:31:02.000003Z","data":{"account_id":"1","b":[1,2]}}`
	for range 2 {
		body, err := e.Payload()
		require.NoError(t, err)
		require.Equal(t, want, string(body))
	}
	e.Data = json.RawMessage(`{`)
	_, err := e.Payload()
	require.Error(t, err)
}

// An endpoint's answer is stored without NUL or half characters and cut to a maximum length.
func TestCut_AnyAnswer_IsStorableAndShort(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"": "", " ok \r\n": "ok", "a\x00b": "ab", "\xff\xfea": "a", strings.Repeat("a", 11): strings.Repeat("a", 10),
		"aaaaaaaaक": "aaaaaaaa", "aaaaaaaक": "aaaaaaaक", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00a": "",
	} {
		require.Equal(t, want, cut(given, 10), "%q", given)
	}
}

// The standard allows secrets of 24 to 64 bytes; ours are 32 random bytes, shown as base64 after their prefix.
func TestNewSecret_IsRandom(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 100 {
		key := RandomSecret()
		require.Len(t, key, 32)
		text, marked := strings.CutPrefix(ShowSecret(key), "whsec_")
		require.True(t, marked)
		back, err := base64.StdEncoding.DecodeString(text)
		require.NoError(t, err)
		require.Equal(t, key, back)
		seen[text] = true
	}
	require.Len(t, seen, 100)
}
