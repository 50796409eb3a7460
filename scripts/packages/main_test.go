package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDiagram_ImportImpliedByAnother_IsLeftOut(t *testing.T) {
	t.Parallel()
	drawn := diagram(map[string][]string{"payment": {"ledger", "message"}, "ledger": {"message"}, "message": nil})
	require.Contains(t, drawn, "  payment --> ledger\n")
	require.Contains(t, drawn, "  ledger --> message\n")
}

func TestDiagram_Adapter_NamesEachDomainThatItServes(t *testing.T) {
	t.Parallel()
	drawn := diagram(map[string][]string{"adapter/gateway/payu": {"mandate", "payment"}, "mandate": {"payment"}, "payment": nil})
	require.Contains(t, drawn, "    adapter_gateway_payu[gateway/payu]\n")
	require.Contains(t, drawn, "  adapter_gateway_payu -.-> mandate & payment\n")
}

func TestReplace_PageWithoutMarkers_IsAnError(t *testing.T) {
	t.Parallel()
	page, err := replace([]byte("a\n"+begin+"old\n"+end+"b\n"), "new\n")
	require.NoError(t, err)
	require.Equal(t, "a\n"+begin+"new\n"+end+"b\n", string(page))
	_, err = replace([]byte("a\n"), "new\n")
	require.Error(t, err)
}
