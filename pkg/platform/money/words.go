package money

import "strings"

// Words spells out the amount as Indian invoices do: Rupees One Lakh Fifty Nine Thousand Three Hundred Only. Negative
// amounts begin with Minus; paise are added as "and Fifty Paise".
func (p Paise) Words() string {
	parts := make([]string, 0, 16)
	if p < 0 {
		parts = append(parts, "Minus")
	}
	rupees, paise := p.rupeePart(), p.paisePart()
	if rupees > 0 || paise == 0 {
		parts = append(parts, "Rupees")
		parts = append(parts, spell(rupees)...)
		if paise > 0 {
			parts = append(parts, "and")
		}
	}
	if paise > 0 {
		parts = append(parts, spell(paise)...)
		parts = append(parts, "Paise")
	}
	return strings.Join(append(parts, "Only"), " ")
}

func spell(value uint64) []string {
	const thousand, lakh, crore = 1_000, 1_00_000, 1_00_00_000
	if value == 0 {
		return []string{"Zero"}
	}
	var words []string
	if value >= crore {
		words = append(spell(value/crore), "Crore")
		value %= crore
	}
	if value >= lakh {
		words = append(words, append(spellTens(value/lakh), "Lakh")...)
		value %= lakh
	}
	if value >= thousand {
		words = append(words, append(spellTens(value/thousand), "Thousand")...)
		value %= thousand
	}
	if value >= hundred {
		words = append(words, append(spellTens(value/hundred), "Hundred")...)
		value %= hundred
	}
	return append(words, spellTens(value)...)
}

func spellTens(value uint64) []string {
	small := [...]string{
		"", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
		"Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen",
	}
	tens := [...]string{"", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"}
	if value == 0 {
		return nil
	}
	if value < uint64(len(small)) {
		return []string{small[value]}
	}
	words := []string{tens[value/10%10]}
	if value%10 > 0 {
		words = append(words, small[value%10])
	}
	return words
}
