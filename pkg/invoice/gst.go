package invoice

import (
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// StateCode is the two-digit GST code of a State or union territory, such as 27 for Maharashtra.
type StateCode string

// OtherTerritory is the GST code of places outside every State, such as the exclusive economic zone.
const OtherTerritory StateCode = "97"

// State is a State or union territory of India with its GST code.
type State struct {
	Code StateCode
	Name string
}

// States lists every State and union territory by code, as the GST portal numbers them since 2020.
func States() []State {
	return []State{
		{"01", i18n.Mark("Jammu and Kashmir")},
		{"02", i18n.Mark("Himachal Pradesh")},
		{"03", i18n.Mark("Punjab")},
		{"04", i18n.Mark("Chandigarh")},
		{"05", i18n.Mark("Uttarakhand")},
		{"06", i18n.Mark("Haryana")},
		{"07", i18n.Mark("Delhi")},
		{"08", i18n.Mark("Rajasthan")},
		{"09", i18n.Mark("Uttar Pradesh")},
		{"10", i18n.Mark("Bihar")},
		{"11", i18n.Mark("Sikkim")},
		{"12", i18n.Mark("Arunachal Pradesh")},
		{"13", i18n.Mark("Nagaland")},
		{"14", i18n.Mark("Manipur")},
		{"15", i18n.Mark("Mizoram")},
		{"16", i18n.Mark("Tripura")},
		{"17", i18n.Mark("Meghalaya")},
		{"18", i18n.Mark("Assam")},
		{"19", i18n.Mark("West Bengal")},
		{"20", i18n.Mark("Jharkhand")},
		{"21", i18n.Mark("Odisha")},
		{"22", i18n.Mark("Chhattisgarh")},
		{"23", i18n.Mark("Madhya Pradesh")},
		{"24", i18n.Mark("Gujarat")},
		{"26", i18n.Mark("Dadra and Nagar Haveli and Daman and Diu")},
		{"27", i18n.Mark("Maharashtra")},
		{"29", i18n.Mark("Karnataka")},
		{"30", i18n.Mark("Goa")},
		{"31", i18n.Mark("Lakshadweep")},
		{"32", i18n.Mark("Kerala")},
		{"33", i18n.Mark("Tamil Nadu")},
		{"34", i18n.Mark("Puducherry")},
		{"35", i18n.Mark("Andaman and Nicobar Islands")},
		{"36", i18n.Mark("Telangana")},
		{"37", i18n.Mark("Andhra Pradesh")},
		{"38", i18n.Mark("Ladakh")},
		{OtherTerritory, i18n.Mark("Other Territory")},
	}
}

// Valid reports whether the code is one of States.
func (c StateCode) Valid() bool { return c.Name() != "" }

// Name returns the State's name, empty for an unknown code.
func (c StateCode) Name() string {
	for _, state := range States() {
		if state.Code == c {
			return state.Name
		}
	}
	return ""
}

// Label returns name and code as documents print a place of supply: Maharashtra (27).
func (c StateCode) Label() string { return c.Name() + " (" + string(c) + ")" }

// LevysUTGST reports whether the place is a union territory without legislature, where UTGST replaces SGST
// (UTGST Act 2017, section 2(8)).
func (c StateCode) LevysUTGST() bool {
	switch c {
	case "04", "26", "31", "35", "38":
		return true
	default:
		return false
	}
}

// Regime is the combination of taxes that a supply bears.
type Regime string

// The three regimes of GST: within a State, within a union territory, and across their borders.
const (
	RegimeState          Regime = "cgst_sgst"
	RegimeUnionTerritory Regime = "cgst_utgst"
	RegimeInterState     Regime = "igst"
)

// RegimeOf returns the taxes that a supply bears; supplies to a special economic zone always bear IGST
// (IGST Act 2017, sections 7 and 8).
func RegimeOf(supplier, placeOfSupply StateCode, sez bool) Regime {
	switch {
	case sez || supplier != placeOfSupply:
		return RegimeInterState
	case placeOfSupply.LevysUTGST():
		return RegimeUnionTerritory
	default:
		return RegimeState
	}
}

// Tax is the tax of a line or document by head, in paise; heads that do not apply are zero.
type Tax struct {
	CGST  money.Paise `json:"cgst_paise"  db:"cgst_paise"`
	SGST  money.Paise `json:"sgst_paise"  db:"sgst_paise"`
	UTGST money.Paise `json:"utgst_paise" db:"utgst_paise"`
	IGST  money.Paise `json:"igst_paise"  db:"igst_paise"`
}

// Total returns the sum of the heads.
func (t Tax) Total() money.Paise { return t.CGST + t.SGST + t.UTGST + t.IGST }

// Plus returns the sum of both by head.
func (t Tax) Plus(o Tax) Tax { return t.plus(o) }

// Minus returns the difference by head.
func (t Tax) Minus(o Tax) Tax { return t.minus(o) }

func (t Tax) plus(o Tax) Tax {
	return Tax{CGST: t.CGST + o.CGST, SGST: t.SGST + o.SGST, UTGST: t.UTGST + o.UTGST, IGST: t.IGST + o.IGST}
}

func (t Tax) minus(o Tax) Tax {
	return Tax{CGST: t.CGST - o.CGST, SGST: t.SGST - o.SGST, UTGST: t.UTGST - o.UTGST, IGST: t.IGST - o.IGST}
}

// ComputeTax returns the tax on a taxable value at a rate in basis points (1800 is 18%), each head half-up to the paisa.
func ComputeTax(supplier, placeOfSupply StateCode, taxable money.Paise, rateBps int64) Tax {
	return RegimeOf(supplier, placeOfSupply, false).Tax(taxable, rateBps)
}

// Tax returns the tax on a taxable value at a rate in basis points; the two heads within a State are equal halves of it.
func (r Regime) Tax(taxable money.Paise, rateBps int64) Tax {
	const halfRateDivisor = 20_000
	half := taxable.Prorate(rateBps, halfRateDivisor)
	switch r {
	case RegimeState:
		return Tax{CGST: half, SGST: half}
	case RegimeUnionTerritory:
		return Tax{CGST: half, UTGST: half}
	default:
		return Tax{IGST: taxable.MulBps(rateBps)}
	}
}
