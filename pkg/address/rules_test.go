package address_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// The same samples are held against the rules of the web client, in web/src/domain/address-form.
func TestSharedSamples_MatchTheRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text, err := os.ReadFile("testdata/samples.json")
	require.NoError(t, err)
	var samples []struct {
		Rule, Text, State string
		Valid             bool
	}
	require.NoError(t, json.Unmarshal(text, &samples))
	require.Greater(t, len(samples), 50)
	for _, s := range samples {
		in, field := input(), ""
		switch s.Rule {
		case "line":
			in.Address, field = s.Text, "address"
		case "optional_line":
			in.Street, in.Landmark, field = s.Text, s.Text, "street"
		case "city":
			in.CityID, field = s.Text, "city_id"
		case "location":
			in.Location, field = s.Text, "location"
		case "legal_name":
			in.LegalName, field = s.Text, "legal_name"
		case "pincode":
			in.Zipcode, field = s.Text, "zipcode"
		case "pin_of_state":
			in.Zipcode, in.StateID, in.CityID, field = s.Text, s.State, "Somewhere", "zipcode"
		}
		require.NotEmpty(t, field, "unknown rule %q", s.Rule)
		_, err := b.service.Save(t.Context(), b.own, in)
		if s.Valid {
			require.NoError(t, err, "%s %q", s.Rule, s.Text)
			continue
		}
		require.Error(t, err, "%s %q", s.Rule, s.Text)
		require.Contains(t, errs.As(err).Fields, field, "%s %q", s.Rule, s.Text)
	}
}

// Every PIN that the gazetteer knows fits the State in which it lies, so that no true address is refused.
func TestPIN_EachKnownOne_FitsItsState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, err := os.Open("../adapter/places/gazetteer/places.tsv.gz")
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	plain, err := gzip.NewReader(f)
	require.NoError(t, err)
	seen := map[string]bool{}
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		col := strings.Split(lines.Text(), "\t")
		if col[0] != "p" {
			continue
		}
		state := col[2]
		if len(state) == 1 {
			state = "0" + state
		}
		// One PIN of each three digits and State: the rule looks no further.
		if key := col[1][:3] + state; !seen[key] {
			seen[key] = true
			in := input()
			in.Zipcode, in.StateID, in.CityID = col[1], state, "Somewhere"
			_, err := b.service.Save(t.Context(), b.own, in)
			require.NoError(t, err, "%s in %s", col[1], state)
		}
	}
	require.NoError(t, lines.Err())
	require.Greater(t, len(seen), 400)
}
