package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// page is what the developer of a connected system reads.
const page = "../../web/src/content/developers.md"

// codeOf returns the first block of code in the language.
func codeOf(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(text)
	require.NotNil(t, found, language)
	return string(found[1])
}

const (
	// The example of the Standard Webhooks specification.
	exampleSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	exampleSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	exampleBody      = `{"test": 2432232314}`
)

// tried are the cases that each language's sample judges: the signature, the body and the seconds since the message was signed.
func tried() []struct {
	signature, body string
	after           int
	want            string
} {
	return []struct {
		signature, body string
		after           int
		want            string
	}{
		{exampleSignature, exampleBody, 0, "true"},
		{"v1,AAAA " + exampleSignature, exampleBody, 300, "true"},
		{exampleSignature, exampleBody + " ", 0, "false"},
		{exampleSignature, exampleBody, 301, "false"},
		{"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OA=", exampleBody, 0, "false"},
		{"", exampleBody, 0, "false"},
	}
}

func requireSamples(t *testing.T, program, file, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), file)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	for _, c := range tried() {
		at := time.Unix(1614265330, 0).Add(time.Duration(c.after) * time.Second).UTC().Format("20060102150405")
		said, err := exec.CommandContext(t.Context(), program, path, exampleSecret, c.signature, c.body, at).Output()
		require.NoError(t, err)
		require.Equal(t, c.want+"\n", string(said), "%+v", c)
	}
}

func TestDeveloperPage_Samples_VerifySignatures(t *testing.T) {
	t.Parallel()
	t.Run("node", func(t *testing.T) {
		t.Parallel()
		requireSamples(t, "node", "sample.cjs", codeOf(t, "js")+`
const [, , secret, signature, body, at] = process.argv;
const now = Date.UTC(at.slice(0, 4), at.slice(4, 6) - 1, at.slice(6, 8), at.slice(8, 10), at.slice(10, 12), at.slice(12, 14));
console.log(genuine(secret, { 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp': '1614265330', 'webhook-signature': signature }, Buffer.from(body), now));
`)
	})
	t.Run("python", func(t *testing.T) {
		t.Parallel()
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip("there is no Python here")
		}
		requireSamples(t, "python3", "sample.py", codeOf(t, "python")+`
import calendar, sys
secret, signature, body, at = sys.argv[1:]
print(str(genuine(secret, {"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330", "webhook-signature": signature},
    body.encode(), calendar.timegm(time.strptime(at, "%Y%m%d%H%M%S")))).lower())
`)
	})
	t.Run("go", func(t *testing.T) {
		t.Parallel()
		text := `package main

import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "fmt"; "net/http"; "os"; "strconv"; "strings"; "time")

` + codeOf(t, "go") + `
func main() {
	at, _ := time.Parse("20060102150405", os.Args[4])
	h := http.Header{}
	h.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
	h.Set("webhook-timestamp", "1614265330")
	h.Set("webhook-signature", os.Args[2])
	fmt.Println(genuine(os.Args[1], h, []byte(os.Args[3]), at))
}
`
		path := filepath.Join(t.TempDir(), "main.go")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		program := filepath.Join(t.TempDir(), "sample")
		built, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, path).CombinedOutput()
		require.NoError(t, err, "%s", built)
		for _, c := range tried() {
			at := time.Unix(1614265330, 0).Add(time.Duration(c.after) * time.Second).UTC().Format("20060102150405")
			said, err := exec.CommandContext(t.Context(), program, exampleSecret, c.signature, c.body, at).Output()
			require.NoError(t, err)
			require.Equal(t, c.want+"\n", string(said), "%+v", c)
		}
	})
}
