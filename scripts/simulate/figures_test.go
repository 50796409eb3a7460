package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDiffering_NamesTheRows(t *testing.T) {
	t.Parallel()
	require.Empty(t, differing([]string{"a", "b"}, []string{"a", "b"}))
	require.Equal(t, []string{"only month by month: a", "only at once: c"}, differing([]string{"a", "b"}, []string{"b", "c"}))
	require.Equal(t, []string{"only at once: a"}, differing(nil, []string{"a"}))
}
