package address

import (
	_ "embed" // the table of PINs
	"encoding/json"
	"slices"
	"sync"
)

// The first three digits of the PINs of each State, from GeoNames' postal codes, runs of digits joined over those that are not
// in use. 507 lies in Andhra Pradesh too since villages of Khammam went there in 2014. The web client reads the same file.
//
//go:embed pin_states.json
var pinTable []byte

// pinRun are the PINs whose first three digits are From to To, with the GST codes of the States in which they lie.
type pinRun struct {
	From, To string
	States   []string
}

var pinRuns = sync.OnceValues(func() (runs []pinRun, err error) { //nolint:gochecknoglobals // read once, when first needed
	err = json.Unmarshal(pinTable, &runs)
	return runs, err
})

// pinFits says whether a PIN may lie in the State. One that no post office of the table has, such as the army's, fits every State.
func pinFits(pin, stateID string) bool {
	runs, _ := pinRuns() // embedded, and read by the tests
	for _, r := range runs {
		if area := pin[:3]; r.From <= area && area <= r.To {
			return slices.Contains(r.States, stateID)
		}
	}
	return true
}
