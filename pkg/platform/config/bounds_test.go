package config_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimeouts_NotSet_HaveSafeDefaults(t *testing.T) {
	t.Parallel()
	c, err := outside(map[string]string{"DATABASE_POOL": "", "DATABASE_POOL_JOBS": "", "REQUEST_TIMEOUT": "", "DRAIN_DELAY": "", "DATABASE_READ_LAG": ""})
	require.NoError(t, err)
	require.Equal(t, 20, c.DatabasePool)
	require.Equal(t, 4, c.DatabasePoolJobs)
	require.Equal(t, 7*time.Second, c.RequestTimeout)
	require.Equal(t, 2*time.Second, c.DatabaseReadLag)
	require.Empty(t, c.DatabaseReadURL)
	require.Equal(t, 3*time.Second, c.DrainDelay)
	c, err = outside(map[string]string{"APP_ENV": "development"})
	require.NoError(t, err)
	require.Zero(t, c.DrainDelay, "no proxy stands before it")
	c, err = outside(map[string]string{"DATABASE_POOL": "40", "DATABASE_POOL_JOBS": "8", "REQUEST_TIMEOUT": "5s", "DRAIN_DELAY": "0s"})
	require.NoError(t, err)
	require.Equal(t, 40, c.DatabasePool)
	require.Equal(t, 8, c.DatabasePoolJobs)
	require.Equal(t, 5*time.Second, c.RequestTimeout)
	require.Zero(t, c.DrainDelay)
}

func TestTimeouts_OutOfRange_AreRefused(t *testing.T) {
	t.Parallel()
	for name, values := range map[string][]string{
		"DATABASE_POOL":      {"0", "1", "-5", "1001", "many"},
		"DATABASE_POOL_JOBS": {"0", "1", "1001", " "},
		"REQUEST_TIMEOUT":    {"0", "0s", "10s", "5", "-1s", "for ever"},
		"LOG_LEVEL":          {"loud", "INFO", "0"},
		"DRAIN_DELAY":        {"-1s", "11s", "soon"},
		"DATABASE_READ_LAG":  {"0s", "499ms", "31s", "2"},
	} {
		for _, value := range values {
			_, err := outside(map[string]string{name: value})
			require.ErrorContains(t, err, name, value)
		}
	}
}
