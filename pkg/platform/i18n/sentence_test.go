package i18n

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type inner struct{ Said Sentence }

type answer struct {
	inner

	Name    string
	Reason  *Sentence
	Absent  *Sentence
	Rows    []inner
	None    []inner
	Any     any
	Map     map[string]Sentence
	Raw     []byte
	At      time.Time
	private Sentence
}

// Word translates a Sentence wherever it is, and nothing else. The value that it was given stays unchanged.
func TestWord_SentencesAnywhere_AreTranslatedInACopy(t *testing.T) {
	t.Parallel()
	reason, at := Sentence("c"), time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	value := func() answer {
		return answer{
			inner: inner{"a"}, Name: "b", Reason: &reason, Rows: []inner{{"d"}}, Any: map[string]any{"x": Sentence("e"), "y": "f"},
			Map: map[string]Sentence{"g": "h"}, Raw: []byte("i"), At: at, private: "j",
		}
	}
	given, upper := value(), Sentence("C")
	want := answer{
		inner: inner{"A"}, Name: "b", Reason: &upper, Rows: []inner{{"D"}}, Any: map[string]any{"x": Sentence("E"), "y": "f"},
		Map: map[string]Sentence{"g": "H"}, Raw: []byte("i"), At: at, private: "j",
	}
	require.Equal(t, want, Word(given, strings.ToUpper))
	require.Equal(t, &want, Word(&given, strings.ToUpper))
	require.Equal(t, value(), given)
	require.Nil(t, Word(nil, strings.ToUpper))
}
