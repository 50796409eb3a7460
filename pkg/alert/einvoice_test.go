package alert

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestUnregistered_AgeOfDocuments_SetsSeverityAndCount(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		ages     []time.Duration
		severity Severity
		subject  string
		message  string
	}{
		"day 20":            {[]time.Duration{20 * day}, Warning, "day 20", "1 document"},
		"two before day 27": {[]time.Duration{27*day - 1, 21 * day}, Warning, "day 20", "2 documents"},
		"day 27 and day 21": {[]time.Duration{27 * day, 21 * day}, Critical, "day 27", "1 document"},
		"after the 30 days": {[]time.Duration{31 * day}, Critical, "day 27", "1 document"},
	} {
		found := unregistered(Sight{Unregistered: c.ages}, Thresholds{})
		require.Len(t, found, 1, name)
		require.Equal(t, []any{c.severity, c.subject}, []any{found[0].Severity, found[0].Subject}, name)
		require.Contains(t, found[0].Message, c.message, name)
	}
	require.Empty(t, unregistered(Sight{}, Thresholds{}))
}
