package address

import (
	_ "embed" // the table of PINs
	"encoding/json"
	"slices"
	"sync"
)

// The first three digits of the PINs of each State, from GeoNames' postal codes; ranges span unused numbers. 507 is also
// in Andhra Pradesh since villages of Khammam moved there in 2014. The web client reads the same file.
//
//go:embed pin_states.json
var pinTable []byte

// pinRun is a range of PINs whose first three digits are From to To, with the GST codes of their States.
type pinRun struct {
	From, To string
	States   []string
}

var pinRuns = sync.OnceValues(func() (runs []pinRun, err error) { //nolint:gochecknoglobals // read once, when first needed
	err = json.Unmarshal(pinTable, &runs)
	return runs, err
})

// PINFits reports whether a PIN may lie in the State. A PIN that is not in the table, such as the army's, fits every
// State.
func PINFits(pin, stateID string) bool {
	states := StatesOfPIN(pin)
	return states == nil || slices.Contains(states, stateID)
}

// StatesOfPIN returns the ids of the States in which PINs with the same first three digits lie; nil for a PIN that is not in the table.
func StatesOfPIN(pin string) []string {
	runs, _ := pinRuns() // embedded, and checked by the tests
	for _, r := range runs {
		if area := pin[:min(len(pin), 3)]; r.From <= area && area <= r.To {
			return r.States
		}
	}
	return nil
}
