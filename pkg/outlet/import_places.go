package outlet

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// splitAddress takes the PIN, the State and the city out of an address that has them, if the sheet has no city for the row.
func (m *mender) splitAddress() {
	if !m.whole(FieldAddress) {
		return
	}
	if m.values[FieldCity] != "" {
		m.takePINAtEnd()
		return
	}
	given := text.Digits(m.values[FieldAddress])
	calls := strings.Trim(phoneAfter.FindString(given), edges)
	given = phoneAfter.ReplaceAllString(given, " ")
	all := pinWithin.FindAllStringSubmatchIndex(given, -1)
	if all != nil {
		at := all[len(all)-1]
		if m.values[FieldPIN] == "" {
			m.change(FieldPIN, strings.ReplaceAll(given[at[2]:at[3]], " ", ""), sentence(i18n.Mark("Taken from the address")))
		}
		given = given[:at[0]] + " ," + given[at[1]:]
	} else if at := loosePIN.FindStringSubmatchIndex(given); all == nil && at != nil && m.values[FieldPIN] == "" && len(given[at[2]:at[3]]) >= leastOfPIN {
		m.change(FieldPIN, strings.NewReplacer(" ", "", ",", "").Replace(given[at[2]:at[3]]), sentence(i18n.Mark("Taken from the address")))
		given = given[:at[0]]
	}
	var parts []string
	for part := range strings.SplitSeq(given, ",") {
		if part = strings.Trim(part, edges); part != "" && !country.MatchString(part) {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return
	}
	if zone := postalZone.FindStringSubmatch(parts[len(parts)-1]); zone != nil && m.endsInCity(zone[1]) {
		parts[len(parts)-1] = zone[1]
	}
	var stated string
	if m.values[FieldState] == "" {
		parts, stated = m.takeStateAtEnd(parts)
	}
	last := len(parts) - 1
	state, _ := m.places.State(m.values[FieldState])
	city, rest := "", parts
	how := sentence(i18n.Mark("Taken from the address"))
	if last >= 0 {
		city, rest = m.cityAtEnd(state.ID, parts, stated != "")
		if city == "" {
			city, rest = m.cityOfPINAtEnd(parts)
		}
	}
	if town, before, found := m.townBefore(city, rest, state.ID); found {
		how = sentence(i18n.Mark("Taken from the address. {1} is the district"), city)
		city, rest = town, before
	}
	if name, ok := m.places.City("", stated); ok && (city == "" || state.ID == delhi && !strings.HasPrefix(city, "New ")) {
		city, rest = name, parts // a State that is a city, such as Delhi
	}
	if city == "" {
		return
	}
	m.change(FieldCity, city, how)
	if calls != "" {
		rest = append(slices.Clone(rest), calls)
	}
	if len(rest) > 0 {
		m.values[FieldAddress] = strings.Join(rest, ", ")
	}
}

// leastOfPIN is how many digits a number at the end of an address has that was meant as a pincode.
const leastOfPIN = 5

// takeStateAtEnd takes the State with which the parts of an address end: a part of its own, or the words behind a city, such as "Kota (Raj)".
// The number of a house is no State's code.
func (m *mender) takeStateAtEnd(parts []string) (rest []string, stated string) {
	how := sentence(i18n.Mark("Taken from the address"))
	last := parts[len(parts)-1]
	words := strings.FieldsFunc(last, func(r rune) bool { return r == ' ' || r == '(' || r == ')' })
	for n := min(mostWordsOfState, len(words)-1); n > 0; n-- {
		stated := strings.Join(words[len(words)-n:], " ")
		state, ok := m.places.State(stated)
		if !ok || strings.ContainsAny(stated, "0123456789") {
			continue
		}
		before := append(slices.Clone(parts[:len(parts)-1]), strings.Trim(strings.Join(words[:len(words)-n], " "), edges))
		if city, _ := m.cityAtEnd(state.ID, before, false); city != "" && before[len(before)-1] != "" {
			m.change(FieldState, state.Name, how)
			return before, stated
		}
	}
	if state, ok := m.places.State(last); ok && !strings.ContainsAny(last, "0123456789") {
		m.change(FieldState, state.Name, how)
		return parts[:len(parts)-1], last
	}
	return parts, ""
}

// mostWordsOfState is how many words a State behind a city has.
const mostWordsOfState = 3

// takePINAtEnd takes the PIN with which an address ends.
func (m *mender) takePINAtEnd() {
	given := text.Digits(m.values[FieldAddress])
	if at := pinWithin.FindStringSubmatchIndex(given); at != nil && m.values[FieldPIN] == "" && strings.Trim(given[at[1]:], edges+"()") == "" {
		m.change(FieldPIN, strings.ReplaceAll(given[at[2]:at[3]], " ", ""), sentence(i18n.Mark("Taken from the address")))
		m.values[FieldAddress] = strings.Trim(given[:at[0]], edges+"(")
	}
}

// cityAtEnd returns the city with which the parts of an address end, and the parts without it. A State behind it makes an unlisted name a
// city.
func (m *mender) cityAtEnd(stateID string, parts []string, beforeState bool) (city string, rest []string) {
	last := strings.Trim(district.ReplaceAllString(inBrackets.ReplaceAllString(parts[len(parts)-1], " "), ""), edges)
	if name, ok := m.places.City(stateID, last); ok {
		return asTyped(last, name), parts[:len(parts)-1]
	}
	words := strings.FieldsFunc(last, func(r rune) bool { return r == ' ' || r == '-' })
	for n := min(2, len(words)-1); n > 0; n-- {
		end := strings.Join(words[len(words)-n:], " ")
		if name, ok := m.places.City(stateID, end); ok {
			return asTyped(end, name), parts
		}
	}
	if beforeState && len(parts) > 1 && cityChars.MatchString(last) && utf8.RuneCountInString(last) <= maxCity {
		return last, parts[:len(parts)-1]
	}
	return "", parts
}

// cityOfPINAtEnd is cityAtEnd in the State of the pincode. The State of the sheet may be wrong.
func (m *mender) cityOfPINAtEnd(parts []string) (city string, rest []string) {
	if in := address.StatesOfPIN(m.values[FieldPIN]); len(in) == 1 {
		return m.cityAtEnd(in[0], parts, false)
	}
	return "", parts
}

// asTyped returns the city as it was typed in a script of India, else its name in the list.
func asTyped(typed, name string) string {
	if text.Indic(typed) {
		return typed
	}
	return name
}

// townBefore returns the town that an address names before its district, which is in the same State.
func (m *mender) townBefore(of string, parts []string, stateID string) (town string, rest []string, ok bool) {
	if len(parts) > 0 && taluk.MatchString(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	if of == "" || len(parts) == 0 {
		return "", nil, false
	}
	last := len(parts) - 1
	town, ok = m.places.City(stateID, parts[last])
	together := slices.ContainsFunc(m.places.StatesOf(town), func(state address.Item) bool {
		_, there := m.places.City(state.ID, of)
		return there && state.ID != delhi // whose districts are parts of the city
	})
	return town, parts[:last], ok && town != of && together
}

// delhi is the id of the State of Delhi.
const delhi = "07"

func (m *mender) mendState() {
	if !m.whole(FieldState) {
		return
	}
	given := m.values[FieldState]
	if found := pinWithin.FindStringSubmatchIndex(text.Digits(given)); found != nil && m.values[FieldPIN] == "" {
		given = text.Digits(given)
		m.change(FieldPIN, strings.ReplaceAll(given[found[2]:found[3]], " ", ""), sentence(i18n.Mark("Taken from the State")))
		given = strings.Trim(given[:found[0]]+" "+given[found[1]:], edges+"()")
	}
	state, ok := m.places.State(given)
	switch {
	case !ok:
		m.wrong(FieldState, i18n.Mark("This is no State of India. Choose one from the list."))
	case address.Key(given) != address.Key(state.Name):
		m.change(FieldState, state.Name, sentence(i18n.Mark("Read as this State")))
	default:
		m.values[FieldState] = state.Name
	}
}

// postalZone matches the old number of a post office behind its city, such as "Delhi 92".
var postalZone = regexp.MustCompile(`^(.*\pL)[ .-]+[0-9]{1,3}$`)

func (m *mender) endsInCity(cell string) bool {
	parts := cityParts.Split(cell, -1)
	city, _ := m.cityAtEnd("", parts[len(parts)-1:], false)
	return city != ""
}

func (m *mender) mendCity() {
	if !m.whole(FieldCity) {
		return
	}
	given := m.takePINFromCity(text.Digits(m.values[FieldCity]))
	given = strings.Trim(inBrackets.ReplaceAllString(given, " "), edges)
	if zone := postalZone.FindStringSubmatch(given); zone != nil && m.endsInCity(zone[1]) {
		given = zone[1]
	}
	city := m.cityOf(given)
	state, _ := m.places.State(m.values[FieldState])
	how := i18n.Mark("Only the city")
	if name, ok := m.places.City(state.ID, city); ok && !text.Indic(city) {
		city, how = name, i18n.Mark("Written as in the list of cities")
	}
	if before := m.values[FieldCity]; address.Key(before) != address.Key(city) {
		m.change(FieldCity, city, sentence(how))
		return
	}
	m.values[FieldCity] = city
}

// takePINFromCity moves a PIN out of the city's cell. It moves a number of another length too, so that the check of PINs names it.
func (m *mender) takePINFromCity(given string) (rest string) {
	found := pinWithin.FindStringSubmatchIndex(given)
	if found == nil {
		if found = loosePIN.FindStringSubmatchIndex(given); found == nil || m.values[FieldPIN] != "" {
			return given
		}
	}
	pin := strings.NewReplacer(" ", "", ",", "").Replace(given[found[2]:found[3]])
	if own := text.Pincode(m.values[FieldPIN]); own == "" {
		m.change(FieldPIN, pin, sentence(i18n.Mark("Taken from the city")))
	} else if own != pin {
		m.wrong(FieldPIN, i18n.Mark("The city names another pincode."))
	}
	return given[:found[0]] + " " + given[found[1]:]
}

// cityOf returns the city of a cell that may have its State and a part of town too.
func (m *mender) cityOf(given string) string {
	state, stated := m.places.State(m.values[FieldState])
	if _, ok := m.places.City(state.ID, given); ok {
		return given
	}
	var parts []string
	for _, part := range cityParts.Split(given, -1) {
		if part = strings.Trim(part, edges); part != "" && !country.MatchString(part) {
			parts = append(parts, part)
		}
	}
	if len(parts) > 1 {
		last := len(parts) - 1
		named, ok := m.places.State(parts[last])
		ok = ok && !strings.ContainsAny(parts[last], "0123456789")
		_, here := m.places.City(named.ID, parts[last-1])
		_, isCity := m.places.City(named.ID, parts[last])
		if ok && (!stated || named == state) && (here || !isCity && !m.places.HasCity(parts[last-1])) {
			if !stated {
				m.change(FieldState, named.Name, sentence(i18n.Mark("Taken from the city")))
			}
			state, parts = named, parts[:last]
		}
	}
	if len(parts) == 2 {
		first, ok1 := m.places.City(state.ID, parts[0])
		second, ok2 := m.places.City(state.ID, parts[1])
		switch {
		case ok1 && ok2 && first == second:
			return first
		case ok1 && !ok2 && !m.places.HasCity(parts[1]):
			m.addToAddress(parts[1])
			return first
		case ok2 && !ok1 && !m.places.HasCity(parts[0]):
			m.addToAddress(parts[0])
			return second
		}
	}
	return m.cityBehind(state.ID, given, parts)
}

// halfNames matches words that may begin the name of a city that is not in the list.
var halfNames = regexp.MustCompile(`(?i)^(?:new|navi|greater|old|north|south|east|west|upper|lower|sri|shri|shree|st|fort|port|न्यू|नई|नवी|श्री)$`)

// cityBehind returns the city with which a cell of an area or a whole address ends. The rest goes to the address.
func (m *mender) cityBehind(stateID, given string, parts []string) string {
	if len(parts) == 0 {
		return given
	}
	city, rest := m.cityAtEnd(stateID, parts, false)
	if city == "" {
		city, rest = m.cityOfPINAtEnd(parts)
	}
	words := strings.Fields(parts[0])
	if len(parts) == 1 && (city == "" || len(words) == 2 && halfNames.MatchString(words[0])) {
		return parts[0]
	}
	if city == "" {
		return given
	}
	area := strings.Join(rest, ", ")
	if len(rest) == len(parts) { // the last part has more than the city
		area = strings.Trim(area[:len(area)-len(lastWords(area, len(strings.Fields(city))))], edges)
	}
	if area != "" {
		m.addToAddress(area)
	}
	return city
}

// lastWords returns the last n words of a text.
func lastWords(text string, n int) string {
	words := strings.Fields(text)
	at := strings.LastIndex(text, words[max(0, len(words)-n)])
	return text[at:]
}

// takeGroup takes the city and the State from the line above the row's group, such as "Indore" or "Gujarat", where the row has none.
func (m *mender) takeGroup(group string) {
	group = strings.Trim(inBrackets.ReplaceAllString(text.Digits(group), " "), edges+"*#•_=>")
	group = strings.Trim(groupWords.ReplaceAllString(group, " "), edges)
	state, isState := m.places.State(group)
	city, isCity := m.places.City("", group)
	how := sentence(i18n.Mark("Taken from the line above these rows"))
	given := m.values[FieldCity]
	switch {
	case given == "" && isCity && m.whole(FieldAddress):
		m.change(FieldCity, city, how)
	case isCity && m.whole(FieldCity) && !m.places.HasCity(given):
		m.addToAddress(given)
		m.change(FieldCity, city, how)
	}
	if states := m.places.StatesOf(m.values[FieldCity]); isState && m.values[FieldState] == "" && (len(states) == 0 || slices.Contains(states, state)) {
		m.change(FieldState, state.Name, how)
	}
}

// groupWords matches what a line above a group of outlets has beside its place.
var groupWords = regexp.MustCompile(`(?i)\b(?:outlets|stores|shops|branches|franchises|centres|centers|city|state)\b|[0-9]+ ?(?:nos?\b)?|(?:की|के) (?:शाखाएँ|शाखाएं|दुकानें|आउटलेट)`)

// addToAddress adds the part of town that stood beside the city.
func (m *mender) addToAddress(part string) {
	before := m.values[FieldAddress]
	if strings.Contains(address.Key(before), address.Key(part)) {
		return
	}
	m.change(FieldAddress, strings.Trim(before+", "+part, edges), sentence(i18n.Mark("Taken from the city")))
}

func (m *mender) mendPIN() {
	if !m.whole(FieldPIN) {
		return
	}
	given := m.values[FieldPIN]
	if pin := text.Pincode(sheet.Whole(text.Digits(given))); pin != given && pinForm.MatchString(pin) {
		m.change(FieldPIN, pin, sentence(i18n.Mark("Written as six digits")))
	}
}

// armyPINs is how the pincodes of army post offices begin.
const armyPINs = "9"

// checkPIN names a PIN that a spreadsheet shortened or that no post office has.
func (m *mender) checkPIN() {
	pin := m.values[FieldPIN]
	switch {
	case !pinForm.MatchString(pin):
	case strings.HasSuffix(pin, "000"):
		m.wrong(FieldPIN, i18n.Mark("No pincode ends in 000. The spreadsheet may have shortened it."))
	case address.StatesOfPIN(pin) == nil && !strings.HasPrefix(pin, armyPINs):
		m.wrong(FieldPIN, i18n.Mark("No pincode begins with these three digits. Correct it, or leave it out."))
	}
}

// compareStateAndPIN takes the State from the pincode and the city, and names those that contradict each other. The list of cities has
// large towns only, so a person may choose another State than that of the listed city.
func (m *mender) compareStateAndPIN() {
	city, cityStates := m.values[FieldCity], m.places.StatesOf(m.values[FieldCity])
	if state, ok := m.places.State(m.values[FieldState]); m.values[FieldState] != "" {
		if both := m.stateOfPINAnd(cityStates); ok && len(both) == 1 && !address.PINFits(m.values[FieldPIN], state.ID) {
			m.change(FieldState, both[0].Name, sentence(i18n.Mark("Taken from the city and its pincode")))
			return
		}
		if ok && len(cityStates) > 0 && !slices.Contains(cityStates, state) {
			m.notes = append(m.notes, sentence(i18n.Mark("{1} is known in {2}, not in {3}. Compare the city and the State."), city, namesOf(cityStates), state.Name))
		}
		return
	}
	if (!m.whole(FieldPIN) || !pinForm.MatchString(m.values[FieldPIN])) && len(cityStates) == 1 {
		m.change(FieldState, cityStates[0].Name, sentence(i18n.Mark("Taken from the city")))
		return
	}
	if !m.whole(FieldPIN) || !pinForm.MatchString(m.values[FieldPIN]) {
		return
	}
	var states []address.Item
	for _, stateID := range address.StatesOfPIN(m.values[FieldPIN]) {
		state, _ := m.places.State(stateID)
		states = append(states, state)
	}
	both := m.stateOfPINAnd(cityStates)
	switch {
	case len(states) == 0: // checkPIN names it
	case len(both) == 1:
		m.change(FieldState, both[0].Name, sentence(i18n.Mark("Taken from the pincode")))
	case len(cityStates) == 0 && len(states) == 1:
		m.change(FieldState, states[0].Name, sentence(i18n.Mark("Taken from the pincode")))
	case len(cityStates) > 0 && len(both) == 0:
		m.errors[FieldPIN] = sentence(i18n.Mark("This pincode lies in {1}, but {2} lies in {3}. Correct one of them, or choose the State."),
			namesOf(states), city, namesOf(cityStates))
	}
	if len(both) != 1 {
		return
	}
	if name, ok := m.places.City(both[0].ID, city); ok && name != city && !text.Indic(city) {
		m.change(FieldCity, name, sentence(i18n.Mark("Written as in the list of cities")))
	}
}

// stateOfPINAnd returns those of the States in which the pincode lies too.
func (m *mender) stateOfPINAnd(states []address.Item) []address.Item {
	if !m.whole(FieldPIN) || !pinForm.MatchString(m.values[FieldPIN]) {
		return nil
	}
	of := address.StatesOfPIN(m.values[FieldPIN])
	return slices.DeleteFunc(slices.Clone(states), func(state address.Item) bool { return !slices.Contains(of, state.ID) })
}

// namesOf returns the names of States, with commas.
func namesOf(states []address.Item) string {
	var names []string
	for _, state := range states {
		names = append(names, state.Name)
	}
	return strings.Join(names, ", ")
}
