package main

// states maps the source's names of States and Union Territories to their GST codes.
func states() map[string]int {
	return map[string]int{
		"Andaman & Nicobar Islands": 35, "Andhra Pradesh": 37, "Arunachal Pradesh": 12, "Assam": 18, "Bihar": 10,
		"Chandigarh": 4, "Chattisgarh": 22, "Dadra and Nagar Haveli and Daman and Diu": 26, "Delhi": 7, "Goa": 30,
		"Gujarat": 24, "Haryana": 6, "Himachal Pradesh": 2, "Jammu & Kashmir": 1, "Jharkhand": 20, "Karnataka": 29,
		"Kerala": 32, "Lakshadweep": 31, "Madhya Pradesh": 23, "Maharashtra": 27, "Manipur": 14, "Meghalaya": 17,
		"Mizoram": 15, "Nagaland": 13, "Odisha": 21, "Pondicherry": 34, "Punjab": 3, "Rajasthan": 8, "Sikkim": 11,
		"Tamil Nadu": 33, "Telangana": 36, "Tripura": 16, "Uttar Pradesh": 9, "Uttarakhand": 5, "West Bengal": 19,
	}
}

const (
	stateJammuKashmir = 1
	statePunjab       = 3
	stateChandigarh   = 4
	stateAndhra       = 37
	stateTelangana    = 36
	stateLadakh       = 38
	statePuducherry   = 34
	stateDelhi        = 7
)

// movedDistricts lists districts that the source still files under the State they were split from.
func movedDistricts() map[int]map[string]int {
	return map[int]map[string]int{
		stateJammuKashmir: {"Leh": stateLadakh, "Kargil": stateLadakh},
		stateAndhra:       {"Peddapalli": stateTelangana},
	}
}

// districts maps the source's spellings of districts to current ones.
func districts() map[string]string {
	return map[string]string{
		"Ahmed Nagar": "Ahmednagar", "Ananthapur": "Anantapur", "Ananthnag": "Anantnag", "Aurangabad(BH)": "Aurangabad",
		"Bijapur(CGH)": "Bijapur", "Bilaspur(CGH)": "Bilaspur", "Bilaspur (HP)": "Bilaspur", "Hamirpur(HP)": "Hamirpur",
		"Raigarh(MH)": "Raigad", "Bagpat": "Baghpat", "Bandipur": "Bandipora", "Bangalore Rural": "Bengaluru Rural",
		"Buldhana": "Buldhana", "Burdwan": "Purba Bardhaman", "Chamrajnagar": "Chamarajanagar", "Cuddapah": "Kadapa",
		"Dadra & Nagar Haveli": "Dadra and Nagar Haveli", "Darjiling": "Darjeeling", "Debagarh": "Deogarh",
		"East Nimar": "Khandwa", "West Nimar": "Khargone", "East Midnapore": "Purba Medinipur",
		"West Midnapore": "Paschim Medinipur", "Medinipur": "Paschim Medinipur", "Gandhi Nagar": "Gandhinagar",
		"Giridh": "Giridih", "Gurgaon": "Gurugram", "Hazaribag": "Hazaribagh", "Jajapur": "Jajpur", "Jalor": "Jalore",
		"Janjgir-champa": "Janjgir-Champa", "Jaribam": "Jiribam", "Jhujhunu": "Jhunjhunu", "Jyotiba Phule Nagar": "Amroha",
		"K.V.Rangareddy": "Ranga Reddy", "Kaimur (Bhabua)": "Kaimur", "Kabirdham": "Kabirdham", "Kawardha": "Kabirdham",
		"Karim Nagar": "Karimnagar", "Kasargod": "Kasaragod", "Keonjhargarh": "Kendujhar", "Kheri": "Lakhimpur Kheri",
		"Lahul & Spiti": "Lahaul and Spiti", "Mahabub Nagar": "Mahabubnagar", "Mammit": "Mamit", "Marigaon": "Morigaon",
		"MORBI": "Morbi", "North Cachar Hills": "Dima Hasao", "Osmanabad": "Dharashiv", "Palamau": "Palamu",
		"Panch Mahals": "Panchmahal", "Pondicherry": "Puducherry", "Purnia": "Purnea", "Rajauri": "Rajouri",
		"Ropar": "Rupnagar", "Sant Ravidas Nagar": "Bhadohi", "Seraikela-kharsawan": "Seraikela Kharsawan",
		"Sepahijala": "Sepahijala", "Siddharthnagar": "Siddharthnagar", "Sonapur": "Subarnapur", "Sundergarh": "Sundargarh",
		"Surendra Nagar": "Surendranagar", "Surguja": "Surguja", "The Dangs": "Dang", "Tikamgarh": "Tikamgarh",
		"TIRUPPUR": "Tiruppur", "Allahabad": "Prayagraj", "Faizabad": "Ayodhya", "Hoshangabad": "Narmadapuram",
		"Yamuna Nagar": "Yamunanagar", "Baleswar": "Balasore", "Birbhum": "Birbhum", "Nawanshahr": "Nawanshahr",
		"Mahesana": "Mehsana", "Sibsagar": "Sivasagar", "Ramanagar": "Ramanagara", "Udham Singh Nagar": "Udham Singh Nagar",
		"Villupuram": "Viluppuram", "Tuticorin": "Thoothukudi", "Tiruvallur": "Tiruvallur", "Ganganagar": "Sri Ganganagar",
		"Sainkheda": "Narsinghpur", "Beed": "Beed", "Saiha": "Siaha", "Nabarangapur": "Nabarangpur",
		"Jagatsinghapur": "Jagatsinghpur",
	}
}

// chiefCities names the city in a district's addresses if it differs from the district's name.
func chiefCities() map[int]map[string]string {
	return map[int]map[string]string{
		stateDelhi: {
			"New Delhi": "New Delhi", "Central Delhi": "New Delhi", "South Delhi": "New Delhi", "South West Delhi": "New Delhi",
			"West Delhi": "New Delhi", "North Delhi": "Delhi", "East Delhi": "Delhi", "North East Delhi": "Delhi",
			"North West Delhi": "Delhi",
		},
		35: {"South Andaman": "Port Blair"},
		18: {"Kamrup": "Guwahati", "Cachar": "Silchar", "Sonitpur": "Tezpur"},
		9:  {"Gautam Buddha Nagar": "Noida", "Kanpur Nagar": "Kanpur"},
		21: {"Khorda": "Bhubaneswar", "Ganjam": "Berhampur"},
		32: {"Ernakulam": "Kochi"},
		29: {"Dakshina Kannada": "Mangaluru"},
		20: {"East Singhbhum": "Jamshedpur"},
		16: {"West Tripura": "Agartala"},
		14: {"Imphal East": "Imphal", "Imphal West": "Imphal"},
		17: {"East Khasi Hills": "Shillong"},
		12: {"Papum Pare": "Itanagar"},
		11: {"East Sikkim": "Gangtok"},
		30: {"North Goa": "Panaji", "South Goa": "Margao"},
		31: {"Lakshadweep": "Kavaratti"},
		26: {"Dadra and Nagar Haveli": "Silvassa"},
	}
}

// town is a city that is neither a district nor a head post office in the source, with its PINs.
type town struct {
	state int
	name  string
	pins  []string
}

func towns() []town {
	return []town{
		{27, "Navi Mumbai", []string{"4006", "4007", "410210", "410218"}},
		{27, "Pimpri-Chinchwad", []string{"411017", "411018", "411019", "411033", "411044"}},
		{27, "Vasai-Virar", []string{"4012", "4013"}},
		{27, "Mira-Bhayandar", []string{"401101", "401104", "401105", "401107"}},
		{27, "Bhiwandi", []string{"421302", "421305", "421308"}},
		{27, "Ulhasnagar", []string{"421001", "421002", "421003", "421004", "421005"}},
		{27, "Kalyan", []string{"421301", "421306"}},
		{27, "Dombivli", []string{"421201", "421202", "421203", "421204"}},
		{9, "Greater Noida", []string{"201306", "201308", "201310", "201312"}},
		{9, "Noida", []string{"201301", "201303", "201304", "201305", "201307", "201309"}},
		{36, "Secunderabad", []string{"500003", "500010", "500011", "500015", "500017", "500025", "500026", "500061"}},
		{6, "Manesar", []string{"122050", "122051", "122052"}},
		{3, "Mohali", nil},
		{29, "Hubballi", []string{"58002", "58003"}},
		{33, "Hosur", []string{"635109", "635126"}},
		{19, "Siliguri", []string{"73400"}},
		{19, "Durgapur", []string{"7132"}},
		{19, "Asansol", []string{"71330", "71332"}},
		{20, "Jamshedpur", []string{"83100"}},
		{24, "Gandhidham", []string{"370201", "370205", "370210", "370240"}},
		{24, "Bhuj", []string{"370001"}},
		{24, "Vapi", []string{"396191", "396195"}},
		{24, "Ankleshwar", []string{"393001", "393002", "393010"}},
		{22, "Bhilai", []string{"49000", "49002"}},
		{5, "Rishikesh", []string{"249201", "249202", "249203", "249204"}},
		{5, "Rudrapur", []string{"263153"}},
		{37, "Vijayawada", []string{"52000", "52001"}},
		{37, "Tirupati", []string{"51750"}},
		{30, "Vasco da Gama", []string{"403802"}},
		{30, "Mapusa", []string{"403507"}},
		{13, "Dimapur", nil},
		{21, "Rourkela", []string{"76900", "76901"}},
		{38, "Leh", nil},
		{34, "Yanam", []string{"533464"}},
		{8, "Bhiwadi", []string{"301019"}},
	}
}

// cityNames maps the source's spellings of cities to current ones, by State if a name occurs in several.
func cityNames() map[string]string {
	return map[string]string{
		"Ambala City": "Ambala", "Aurangabad (MH)": "Chhatrapati Sambhajinagar", "Aurangabad": "Aurangabad",
		"B.Deoghar": "Deoghar", "Beawar [Raj]": "Beawar", "Belgaum": "Belagavi", "Bellary": "Ballari", "Berhampore (WB)": "Baharampur",
		"Berhampur(GM)": "Berhampur", "Bijapur": "Vijayapura", "Bilaspur (Bilaspur-CGH)": "Bilaspur", "Bilaspur (Bilaspur- HP)": "Bilaspur",
		"Calicut": "Kozhikode", "Chalakudi": "Chalakudy", "Chickballapur": "Chikkaballapur", "Chikmagalur": "Chikkamagaluru",
		"Buldana": "Buldhana", "Darjeeling": "Darjeeling", "Faridabad NIT": "Faridabad", "Ferozepur": "Firozpur",
		"Gandhinagar (Gujarat)": "Gandhinagar", "Guwahati University": "Guwahati", "Hanumangarh Jn.": "Hanumangarh",
		"Hindaun": "Hindaun", "Hospet": "Hosapete", "Hubli": "Hubballi", "Ibsb Bhilai": "Bhilai", "Indore Nagar": "Indore",
		"Jalandhar City": "Jalandhar", "Jeypore(K)": "Jeypore", "Kalyan City": "Kalyan", "Kanpur Cantt.": "Kanpur", "Kothagudem Colls": "Kothagudem",
		"Kottarakara": "Kottarakkara", "Lucknow Chowk": "Lucknow", "Madanganj Kishangarh": "Kishangarh", "Mangalore": "Mangaluru",
		"Manjeri-kla": "Manjeri", "Adur( Kla)": "Adoor", "Tirur(kerala)": "Tirur", "Marwar Jn.": "Marwar Junction", "Meerut City": "Meerut",
		"Nagpur City": "Nagpur", "Nawadha": "Nawada", "North Lakhimpur": "North Lakhimpur", "Osmanabad": "Dharashiv", "Palai": "Pala",
		"Pali Marwar": "Pali", "Pondicherry": "Puducherry", "Puttur(D.K.)": "Puttur", "Raebarely": "Raebareli", "Rajgarh(Bia)": "Rajgarh",
		"Ramgarh Cantt": "Ramgarh", "Rayagada(K)": "Rayagada", "Sawaimadhopur": "Sawai Madhopur", "Shimoga": "Shivamogga",
		"Sriganganagar": "Sri Ganganagar", "Stn. Jadcherla": "Jadcherla", "Sultanpur (Avadh)": "Sultanpur", "Sunder Nagar Town Ship": "Sundernagar",
		"Tonk Raj": "Tonk", "Tumkur": "Tumakuru", "Gulbarga": "Kalaburagi", "Udagamandalam": "Ooty", "Wadakanchery-TC": "Wadakkanchery",
		"Cuddapah": "Kadapa", "Allahabad": "Prayagraj", "Faizabad": "Ayodhya", "Gurgaon": "Gurugram", "Hoshangabad": "Narmadapuram",
		"Kheri": "Lakhimpur Kheri", "Tuticorin": "Thoothukudi", "Villupuram": "Viluppuram", "Ropar": "Rupnagar", "Midnapore": "Midnapore",
		"Mahesana": "Mehsana", "Mangaldoi": "Mangaldoi", "Alathur Mbr": "Alathur", "Nawabganj": "",
		"Yadgiri": "Yadgir", "Burdwan": "Bardhaman", "Avadi Camp": "Avadi", "Lalganj (Raebareli)": "Lalganj", "Dehradun Cantt": "Dehradun",
		"Gobichettipalayam": "Gobichettipalayam", "Rajahmundry": "Rajamahendravaram", "Karimganj": "Karimganj", "Waltair R S": "",
		"Thygarayanagar": "", "Hamirpur": "Hamirpur", "Atur": "Attur", "Hanumangarh Jn": "Hanumangarh", "Marwar Jn": "Marwar Junction",
		"Berhampore": "Baharampur", "Keonjhargarh": "Kendujhar", "Adur": "Adoor", "Tirupur": "Tiruppur", "Janjgir": "Janjgir-Champa",
	}
}

// notCities lists head post offices that are part of a city or not a place at all.
func notCities() map[string]bool {
	out := map[string]bool{}
	for _, n := range []string{
		"Buckinghampet", "Lingareddipalli", "Tummagunta", "Revdibazar", "Navrangpura", "Fateganj", "Nanpura", "Calicut Civil Station",
		"Olavakkot", "Poojapura", "Nashik Road", "Kalbadevi", "Pune City", "Shivajinagar", "Kolhapur City", "Kulshekar",
		"Saraswathipuram", "Basavanagudi", "H.A.L II Stage", "Rajajinagar", "Jalahalli", "R T Nagar", "Jayanagar", "Uditnagar",
		"Chandinchowk", "Similipadar", "Gabjore", "Khatakhatia", "Dapalla", "Lokapada", "Rundimahula", "Khaliapalli",
		"Jalandhar Cantt", "Jawahar Nagar", "Shastri Nagar", "New Grain Mandi Kota", "Ambattur", "Anna Road", "Park Town", "Mylapore",
		"St.Thomas Mount", "Tallakulam", "Arasaradi", "Melakaveri", "Suramangalam", "Radhakishorepur", "Matabari", "Belgharia",
		"Salkia", "Cossipore", "Barabazar", "Beleghata", "Park Street", "Tollygunge", "Laheriasarai", "Bankipore", "Marhowrah",
		"Lashkar", "Morar", "Sagar Cantt", "C.T.T.Nagar", "Bhel", "Meerut Cantt", "Agra Fort", "Kanpur Cantt.", "Allahabad Kty.",
		"Kunraghat", "Varanasi Cantt", "Doranda", "Hyderabad Jubilee", "Khairatabad", "Trimulgherry", "Stn Kachiguda", "Palayankottai",
		"Uppuguda", "Mal", "Palai", "Dehra", "Barsar", "Gandhinagar", "Lucknow Chowk", "Fatehgarh", "Akbarpur",
		"Allahabad Kty", "Kanpur Cantt", "Rathinasabapathy Puram", "Srirangam",
	} {
		out[n] = true
	}
	return out
}

// aliases lists names by which people still know a city, for suggestions and for other providers' addresses.
func aliases() map[string][]string {
	return map[string][]string{
		"Bengaluru": {"Bangalore"}, "Mumbai": {"Bombay"}, "Chennai": {"Madras"}, "Kolkata": {"Calcutta"}, "Gurugram": {"Gurgaon"},
		"Prayagraj": {"Allahabad"}, "Puducherry": {"Pondicherry"}, "Mysuru": {"Mysore"}, "Mangaluru": {"Mangalore"},
		"Hubballi": {"Hubli"}, "Belagavi": {"Belgaum"}, "Ballari": {"Bellary"}, "Kalaburagi": {"Gulbarga"}, "Shivamogga": {"Shimoga"},
		"Tumakuru": {"Tumkur"}, "Vijayapura": {"Bijapur"}, "Chikkamagaluru": {"Chikmagalur"}, "Davangere": {"Davanagere"},
		"Thiruvananthapuram": {"Trivandrum"}, "Kochi": {"Cochin", "Ernakulam"}, "Kozhikode": {"Calicut"}, "Thrissur": {"Trichur"},
		"Kollam": {"Quilon"}, "Alappuzha": {"Alleppey"}, "Palakkad": {"Palghat"}, "Kannur": {"Cannanore"}, "Tiruchirappalli": {"Trichy"},
		"Thoothukudi": {"Tuticorin"}, "Thanjavur": {"Tanjore"}, "Viluppuram": {"Villupuram"}, "Visakhapatnam": {"Vizag"},
		"Vadodara": {"Baroda"}, "Varanasi": {"Banaras", "Benares"}, "Kanpur": {"Cawnpore"}, "Ayodhya": {"Faizabad"},
		"Kadapa": {"Cuddapah", "YSR Kadapa", "YSR"}, "Anantapur": {"Anantapuramu", "Ananthapur"}, "Rajamahendravaram": {"Rajahmundry"},
		"Chhatrapati Sambhajinagar": {"Aurangabad", "Sambhajinagar"}, "Dharashiv": {"Osmanabad"}, "Ahmednagar": {"Ahilyanagar", "Ahilya Nagar"},
		"Pune": {"Poona"}, "Nashik": {"Nasik"}, "Raigad": {"Raigarh"}, "Panaji": {"Panjim"}, "Guwahati": {"Gauhati"}, "Shillong": nil,
		"Narmadapuram": {"Hoshangabad"}, "Ooty": {"Udagamandalam", "Udhagamandalam"}, "Cooch Behar": {"Koch Bihar"},
		"Bardhaman": {"Burdwan"}, "Baharampur": {"Berhampore"}, "Berhampur": {"Brahmapur"}, "Balasore": {"Baleswar"}, "Hosapete": {"Hospet"},
		"Sri Ganganagar": {"Ganganagar"}, "Mohali": {"Sahibzada Ajit Singh Nagar", "SAS Nagar"}, "Nawanshahr": {"Shahid Bhagat Singh Nagar"},
		"Rupnagar": {"Ropar"}, "Firozpur": {"Ferozepur"}, "Bathinda": {"Bhatinda"}, "Vasai-Virar": {"Vasai", "Virar"},
		"Mira-Bhayandar": {"Mira Road", "Bhayandar"}, "Pimpri-Chinchwad": {"Pimpri", "Chinchwad"}, "Dombivli": {"Dombivali"},
		"Delhi": {"Old Delhi"}, "Noida": {"New Okhla"}, "Lakhimpur Kheri": {"Kheri"}, "Bhadohi": {"Sant Ravidas Nagar"},
		"Thane": {"Thana"}, "Silvassa": nil, "Kanyakumari": {"Kanniyakumari"}, "Nilgiris": {"The Nilgiris"}, "Dang": {"The Dangs"},
		"Mehsana": {"Mahesana"}, "Kachchh": {"Kutch"}, "Kasaragod": {"Kasargod"}, "Khorda": {"Khurda"}, "Kendujhar": {"Keonjhar"},
		"Jajpur": {"Jajapur"}, "Sundargarh": {"Sundergarh"}, "Ranga Reddy": {"Rangareddy", "K V Rangareddy"}, "Darjeeling": {"Darjiling"},
		"Purba Medinipur": {"East Midnapore"}, "Paschim Medinipur": {"West Midnapore"},
	}
}

// stateNames maps GST codes to the 36 official names.
func stateNames() map[int]string {
	return map[int]string{
		1: "Jammu and Kashmir", 2: "Himachal Pradesh", 3: "Punjab", 4: "Chandigarh", 5: "Uttarakhand", 6: "Haryana", 7: "Delhi",
		8: "Rajasthan", 9: "Uttar Pradesh", 10: "Bihar", 11: "Sikkim", 12: "Arunachal Pradesh", 13: "Nagaland", 14: "Manipur",
		15: "Mizoram", 16: "Tripura", 17: "Meghalaya", 18: "Assam", 19: "West Bengal", 20: "Jharkhand", 21: "Odisha",
		22: "Chhattisgarh", 23: "Madhya Pradesh", 24: "Gujarat", 26: "Dadra and Nagar Haveli and Daman and Diu",
		27: "Maharashtra", 29: "Karnataka", 30: "Goa", 31: "Lakshadweep", 32: "Kerala", 33: "Tamil Nadu", 34: "Puducherry",
		35: "Andaman and Nicobar Islands", 36: "Telangana", 37: "Andhra Pradesh", 38: "Ladakh",
	}
}
