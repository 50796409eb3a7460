package testkit

import (
	"math/big"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Share returns price × days / of, rounded half up to the paisa, computed with fractions and so differently from the
// product.
func Share(price money.Paise, days, of int64) money.Paise {
	exact := new(big.Rat).Mul(big.NewRat(int64(price), 1), big.NewRat(days, of))
	exact.Add(exact, big.NewRat(1, 2))
	return money.Paise(new(big.Int).Div(exact.Num(), exact.Denom()).Int64())
}
