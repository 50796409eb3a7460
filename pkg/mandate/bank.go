package mandate

import "strings"

// BankName returns the bank's name for the first four letters of its IFSC, or the letters if the bank is unknown. Both providers identify
// banks by these letters: Razorpay, "Supported Banks" of recurring payments; PayU, whose eNACH codes add a suffix.
func BankName(letters string) string {
	letters = strings.ToUpper(strings.TrimSpace(letters))
	if name, ok := bankNames()[letters]; ok {
		return name
	}
	return letters
}

func bankNames() map[string]string {
	return map[string]string{
		"ANDB": "Andhra Bank", "APGB": "Andhra Pragathi Grameena Bank", "AUBL": "AU Small Finance Bank", "AIRP": "Airtel Payments Bank",
		"BARB": "Bank of Baroda", "BDBL": "Bandhan Bank", "BKID": "Bank of India", "CBIN": "Central Bank of India", "CITI": "Citibank",
		"CIUB": "City Union Bank", "CLBL": "Capital Small Finance Bank", "CNRB": "Canara Bank", "COSB": "Cosmos Bank", "CSBK": "CSB Bank",
		"DBSS": "DBS Bank", "DCBL": "DCB Bank", "DEUT": "Deutsche Bank", "DLXB": "Dhanlaxmi Bank", "ESFB": "Equitas Small Finance Bank",
		"FDRL": "Federal Bank", "FINO": "Fino Payments Bank", "HDFC": "HDFC Bank", "HSBC": "HSBC", "IBKL": "IDBI Bank", "ICIC": "ICICI Bank",
		"IDFB": "IDFC FIRST Bank", "IDIB": "Indian Bank", "INDB": "IndusInd Bank", "IOBA": "Indian Overseas Bank", "JAKA": "Jammu and Kashmir Bank",
		"JSFB": "Jana Small Finance Bank", "KARB": "Karnataka Bank", "KKBK": "Kotak Mahindra Bank", "KVBL": "Karur Vysya Bank",
		"KVGB": "Karnataka Vikas Grameena Bank", "MAHB": "Bank of Maharashtra", "NSPB": "NSDL Payments Bank", "ORBC": "Oriental Bank of Commerce",
		"PSIB": "Punjab and Sind Bank", "PUNB": "Punjab National Bank", "PYTM": "Paytm Payments Bank", "RATN": "RBL Bank",
		"SBIN": "State Bank of India", "SCBL": "Standard Chartered Bank", "SIBL": "South Indian Bank", "SURY": "Suryoday Small Finance Bank",
		"SYNB": "Syndicate Bank", "TMBL": "Tamilnad Mercantile Bank", "UBIN": "Union Bank of India", "UCBA": "UCO Bank",
		"USFB": "Ujjivan Small Finance Bank", "UTBI": "United Bank of India", "UTIB": "Axis Bank", "UTKS": "Utkarsh Small Finance Bank",
		"VARA": "Varachha Co-operative Bank", "YESB": "Yes Bank",
	}
}
