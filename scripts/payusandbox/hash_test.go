package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHashes_EqualPayUsPublishedOnes checks the formulas against hashes that PayU published.
func TestHashes_EqualPayUsPublishedOnes(t *testing.T) {
	t.Parallel()
	node := merchant{key: "bjg$121", salt: "vhgvs75"} // payu-sdk-node, tests/payu/hasher.test.js
	mobile := order{TxnID: "3123", Amount: "1000", ProductInfo: "mobile", FirstName: "Jacob", Email: "test@payu.in"}
	docs := merchant{key: "JPM7Fg", salt: "TuxqAugd"} // docs.payu.in
	iphone := order{TxnID: "PQI6MqpYrjEefU", Amount: "10.00", ProductInfo: "iPhone", FirstName: "PayU User", Email: "test@gmail.com"}
	card := order{TxnID: "ypl938459435dfdfdf", ProductInfo: "iPhone", FirstName: "Ashish", Email: "ashish@gmail.com"}
	netbanking := order{TxnID: "bvRCCBO4YiGGHE", ProductInfo: "iPhone", FirstName: "Ashish", Email: "test@gmail.com"}
	for name, c := range map[string]struct{ got, want string }{
		"request, SDK":              {node.requestHash(mobile), "19d0822939b32b371847521c89aba3521de3a9bfeabeee5dab2d6f41962ff9fcdcee87067bb3a3de870acce488f9ff88a3511bb78c6143344a277b1b91ad38b8"},
		"response, SDK":             {node.responseHash("success", "1000", "", mobile), "687c82156a84271a7a6c63d0e8774d5ac567d9b894a334a47d72e47b72392a5167a1b2add5b253490b70731d9eb3e3a3b7225e0c5f26829befafbbee71977c4c"},
		"request":                   {docs.requestHash(iphone), "05a397501918ec5c36ae52daa3b3e49b43e986b86940e109d060076e467c3ea7536617df7420e0e6863dced8c5b45f9fff15c13bdf0335512c05f0210b31b072"},
		"response by card":          {docs.responseHash("success", "1000.00", "", card), "84bbbf0fa3ba2a39942f6c3deab234c4d00bc5b6aceee5cda3c8200d6e1714e19c224d47e24d0c4a9a0cce40eddbae1dc46455c69e5e7d5dd62f6636bfab337c"},
		"response by netbanking":    {docs.responseHash("success", "10.00", "", netbanking), "fa7bb889d25b2a60bcf32316d1c9346589ff3de012dd0c66aa47ec12f1349837163ef8a603bd8b357de610b768f08dc4fb3bb4702d1ca6d9751300667fd763a6"},
		"verify_payment":            {docs.commandHash("verify_payment", "IhfgcZnXR4o4nB"), "a0ae79fdd66c875af6e9b21c4a67f1822deb00f2df5e9f0b1948f3222f536a9bf741b24efbb1874ca0f84f76b036e6c0d641581d0100f7abe4aeed2f3264f5c9"},
		"check_action_status":       {docs.commandHash("check_action_status", "403993715521937565"), "81bdb5b8e625f254398d744269844fc6b9d87b3782670331c2a6b856f42f315b9898f397df7292cfd33a6153abf4acac58ce3ac671e41999ff81d98ce432f48e"},
		"getAllRefundsFromTxnIds":   {docs.commandHash("getAllRefundsFromTxnIds", "db97dd56eff7296e5061"), "69543c08018121cc882d2f8b1761567367c1806becde3db7f54ab552362677cc08d8dfa4b9411e234e4876e6aba80c05a32e75ed499aff458c7f6027bf4ef2a8"},
		"get_Transaction_Details":   {docs.commandHash("get_Transaction_Details", "2020-10-20"), "0545c11641bd91ed7ba2b5c937480b0f8737962ccc4959994f2aa950ca16212283e7c440a4251ffebd725e0c2c2c03701186eec82c8dd667e75dfbb3cba8e634"},
		"dispute, from PayU's text": {merchant{"JBZaLc", "awdgfjrfjk"}.disputeSignature("403993715515239610", "1500.0", "987", "Chargeback", "Pending Response"), "2570deec39958a0e93ce7385d421fe8016edcb133c7649ff6f958d06cc878e3375cc843d221507e55839d4c3e95446b37176366aebaaa6cdbbde589c489f94c4"},
	} {
		require.Equal(t, c.want, c.got, name)
	}
	require.NotEqual(t, docs.responseHash("success", "10.00", "", iphone), docs.responseHash("success", "10.00", "1.00", iphone))
}
