package razorpay

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
)

func TestCustomerName_NamesOfCustomers_FitThePublishedRule(t *testing.T) {
	t.Parallel()
	rule := regexp.MustCompile(`^[A-Za-z0-9 .'/@()]{3,50}$`)
	for name, want := range map[string]string{
		"Asha": "Asha", "Om": "Customer", "आशा": "Customer", "Mary\u2019s": "Mary's", "Anne-Marie": "Anne Marie", "José": "Jose", "D'Souza": "D'Souza",
		"Asha Sweets & Sons, Bengaluru": "Asha Sweets Sons Bengaluru", "आशा Sweets": "Sweets", "": "Customer", "...": "Customer", "A\tB\nC": "A B C",
		"A-1 Foods, Pune": "A 1 Foods Pune", "  Asha  ": "Asha", "12": "Customer", "१२३४": "Customer",
		"Venkata Narasimha Raju Thiruvengadam Bhamidipati of Kanchipuram": "Venkata Narasimha Raju Thiruvengadam Bhamidipati o",
		strings.Repeat("a", 49) + " bcd":                                  strings.Repeat("a", 49),
	} {
		require.Equal(t, want, customerName(name), name)
		require.Regexp(t, rule, customerName(name), name)
	}
}

func TestEmail_LongerThanRazorpayAccepts_IsOmitted(t *testing.T) {
	t.Parallel()
	fits := strings.Repeat("a", 53) + "@example.in" // 64 characters
	require.Equal(t, fits, email(payment.Charge{Email: fits}))
	long := payment.Charge{Email: "a" + fits, ReturnURL: "https://shop.example/x"}
	require.Empty(t, email(long))
	require.Equal(t, "no-reply@shop.example", requiredEmail(long), "a debit demands one")
}
