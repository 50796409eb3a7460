package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func lastRun(t *testing.T) measured {
	t.Helper()
	table, err := os.ReadFile("results.gen.md")
	require.NoError(t, err)
	m, err := readMeasured(string(table))
	require.NoError(t, err)
	return m
}

func TestReadMeasured_LastRun_HasEveryRate(t *testing.T) {
	t.Parallel()
	m := lastRun(t)
	require.Positive(t, m.cores)
	require.Positive(t, m.rates["login"])
	for table, want := range map[string]string{
		"": "does not name the cores", "27 November 2026, 2 cores with a load average of up to 8.\n": `no rate for "plan list"`,
	} {
		_, err := readMeasured(table)
		require.ErrorContains(t, err, want)
	}
}

// Ten times the customers need ten times the processors and the disk; what is needed at least stays.
func TestCapacity_MoreCustomers_NeedMore(t *testing.T) {
	t.Parallel()
	m := measured{cores: 2, rates: map[string]float64{}}
	for _, e := range events() {
		m.rates[e.row] = 1000
	}
	small, large := capacity{customers: 1000, years: 5, peak: 8}, capacity{customers: 10_000_000, years: 5, peak: 8}
	few, many := small.machines(m), large.machines(m)
	require.InDelta(t, few.apiCores*10_000, many.apiCores, 1e-6)
	require.InDelta(t, 2.25e12, many.postgresBytes, 1)
	require.Equal(t, []float64{2, 2}, []float64{few.api, few.worker}, "one may fail")
	require.Less(t, small.needs(few)[0].used(), 1.5)
	needs := large.needs(many)
	require.Equal(t, "connections to Postgres", small.needs(few)[0].what)
	for i := range needs[1:] {
		require.GreaterOrEqual(t, needs[i].used(), needs[i+1].used())
	}
}

func TestCapacity_Prices_AreSummedOrRefused(t *testing.T) {
	t.Parallel()
	n := machines{api: 2, worker: 2, postgresBytes: 100e9, objectBytes: 10e9}
	var out strings.Builder
	require.NoError(t, n.cost(&out, strings.NewReader("name,core,memory,disk,objects\nMumbai,1000,100,10,2\n")))
	require.Equal(t, "Mumbai: 46820 a month\n", out.String(), "32 cores, 128 GB of memory, 200 GB of disk, 10 GB of objects")
	for list, want := range map[string]string{
		"name,core\nx,1\n":                                 "the first line is",
		"name,core,memory,disk,objects\n":                  "the first line is",
		"name,core,memory,disk,objects\nx,much,1,1,1\n":    `"much" is no price`,
		"name,core,memory,disk,objects\nx,-1,1,1,1\n":      `"-1" is no price`,
		"name,core,memory,disk,objects\nx,1,1,1\n":         "wrong number of fields",
		"name,core,memory,disk,objects\n\"x,1,1,1,1\n\n\n": "extraneous",
	} {
		require.ErrorContains(t, n.cost(&out, strings.NewReader(list)), want, list)
	}
	out.Reset()
	c := capacity{customers: 1000, years: 5, peak: 8, prices: filepath.Join(t.TempDir(), "prices.csv")}
	require.ErrorContains(t, c.report(&out, lastRun(t)), "-prices")
	require.Contains(t, out.String(), "api and")
}
