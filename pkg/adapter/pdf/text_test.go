package pdf_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// reader is the program that extracts text from PDFs; it serves one caller at a time and exits with the tests.
type reader struct {
	mu      sync.Mutex
	encoder *json.Encoder
	decoder *json.Decoder
}

var openReader = sync.OnceValues(func() (*reader, error) { //nolint:gochecknoglobals // one reader per test process
	command := exec.Command("go", "run", "../../testkit/pdftext") // exits when its input ends
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &reader{encoder: json.NewEncoder(in), decoder: json.NewDecoder(out)}, command.Start()
})

// textOf returns the PDF's text as a person would select it, line by line, with single spaces.
func textOf(t *testing.T, body []byte) string {
	t.Helper()
	r, err := openReader()
	require.NoError(t, err)
	r.mu.Lock()
	defer r.mu.Unlock()
	require.NoError(t, r.encoder.Encode(body))
	var answer struct{ Text, Error string }
	require.NoError(t, r.decoder.Decode(&answer))
	require.Empty(t, answer.Error)
	return answer.Text
}
