package tenant

import (
	"slices"
	"strings"
)

// impersonates reports whether a name reads like that of a bank, a payment app, an authority or the operator. A store's name becomes a
// host below the operator's domain, where such a name would help to phish.
// Brands are those of the gateways.
func impersonates(name string, brands Brands) bool {
	words := strings.Fields(strings.ToLower(name))
	isAcronym := func(word string) bool { return slices.Contains(append(acronyms(), brands.Words...), bare(word)) }
	isPhrase := func(phrase string) bool { return hasPhrase(words, phrase) }
	return slices.ContainsFunc(words, isAcronym) || slices.ContainsFunc(append(phrases(), brands.Within...), isPhrase) ||
		namesBank(words) || isBankAlone(words)
}

// bare returns a word without digits and "bank" at its end: sbi1 and sbibank are sbi.
func bare(word string) string {
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(word, "0123456789"), "bank"), "0123456789")
}

// hasPhrase reports whether a word contains the phrase, or whole words together are it, whichever way they are cut: "G Pay", "Franchise 3 60".
func hasPhrase(words []string, phrase string) bool {
	for from := range words {
		if strings.Contains(words[from], phrase) {
			return true
		}
		for to := from; to < len(words); to++ {
			joined := strings.Join(words[from:to+1], "")
			if joined == phrase || strings.TrimRight(joined, "0123456789") == phrase {
				return true
			}
		}
	}
	return false
}

// namesBank reports whether "bank" follows the name of one, as in "Yes Bank Pune" and "yesbank". "Cake Bank" is no bank.
func namesBank(words []string) bool {
	named := slices.Concat(bankNames(), wordsOfBanks())
	for i, word := range words {
		joined := strings.TrimSuffix(strings.TrimRight(word, "0123456789"), "bank")
		if joined != word && slices.Contains(named, joined) {
			return true
		}
		if i > 0 && slices.Contains([]string{"bank", "banks", "banking", "netbanking"}, strings.TrimRight(word, "0123456789")) && slices.Contains(named, words[i-1]) {
			return true
		}
	}
	return false
}

// isBankAlone reports whether a name is that of a bank with nothing but words of banking: "Kotak", "Kotak Login". "Kotak Dairy" is a family's.
func isBankAlone(words []string) bool {
	named := false
	for _, word := range words {
		word = strings.TrimRight(word, "0123456789")
		switch {
		case slices.Contains(bankNames(), word):
			named = true
		case word != "" && !slices.Contains(wordsOfBanking(), word):
			return false
		}
	}
	return named
}

// acronyms are names that no other business has. They are refused as whole words, also with "bank" or digits behind them.
func acronyms() []string {
	return strings.Fields(`
		sbi rbi pnb idbi idfc rbl iob uco kvb tmb dcb csb dbs hsbc jkb bnp sbm citibank esaf equitas ujjivan sidbi nabard
		yono imobile payzapp gpay bhim upi rupay fastag bharatpe lazypay juspay ccavenue billdesk groww zerodha upstox
		npci nach neft rtgs imps bbps uidai epfo epf uan trai sebi irctc irdai pfrda cbi gstn cibil nsdl cdsl lic fssai mygov parivahan
		kyc ekyc otp cvv`)
}

// phrases are names that are refused also inside a word.
func phrases() []string {
	return strings.Fields(`
		franchise360 hdfc icici kotakmahindra statebank bankof indusind idfcfirst punjabnational punjabsind punjabandsind indianoverseas karurvysya
		tamilnadmercantile standardchartered smallfinancebank paymentsbank graminbank grameenbank grameenabank cooperativebank sahakaribank bajajfinserv
		netbanking paytm phonepe googlepay gpay amazonpay applepay samsungpay whatsapppay jiopay jiomoney airtelmoney airtelpayments cashfree mobikwik freecharge
		policybazaar aadhaar aadhar incometax reservebank nationalpayments cybercrime cybercell cyberpolice policestation supremecourt
		enforcementdirectorate governmentof govtof ministryof providentfund indiapost passportseva digilocker licofindia lifeinsurancecorporation
		pmkisan pmcares ayushmanbharat sancharsaathi echallan voterid pancard rationcard electricityboard indianrailways`)
}

// bankNames are names of banks that families and places have too.
func bankNames() []string {
	return strings.Fields("kotak axis canara bandhan federal saraswat dhanlaxmi dhanalakshmi nainital bob boi")
}

// wordsOfBanks are words that name a bank only before "bank".
func wordsOfBanks() []string {
	return strings.Fields(`
		yes union indian central karnataka vysya au jana utkarsh suryoday capital unity shivalik cosmos svc bassein kashmir overseas maharashtra baroda india chartered deutsche citi
		mercantile vilas syndicate allahabad andhra corporation dena vijaya oriental sind national first mahindra airtel jio paytm fino nsdl post reserve state world`)
}

// wordsOfBanking are words that banks use with their names.
func wordsOfBanking() []string {
	return strings.Fields(`
		bank banking netbanking net online mobile app lite login signin support help helpline helpdesk care customer official india secure security verify
		verification update refund refunds reward rewards offer offers pay payment payments upi wallet card cards credit debit loan loans account accounts
		service services finance insurance life securities mutual fund funds digital branch atm limited ltd portal the of`)
}
