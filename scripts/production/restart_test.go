package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/customer"
	"github.com/franchise360/franchise360/scripts/stack"
)

func newTestStack(t *testing.T) *stack.Stack {
	t.Helper()
	s, err := stack.New(t.TempDir(), t.TempDir(), stack.NewConsole(os.Stderr))
	require.NoError(t, err)
	for _, name := range (&production{}).ports() {
		_, err := s.Kept.Port(t.Context(), name)
		require.NoError(t, err)
	}
	s.Kept.Release()
	return s
}

// load is a set of browsers that read the plans and sign in, in a loop. Each successful sign-in creates one session.
type load struct {
	read, signedIn     atomic.Int64
	mu                 sync.Mutex
	reading, signingIn []error // the failures
	end                chan struct{}
	browsers           sync.WaitGroup
}

func (r *running) load(t *testing.T, customers map[string]*customer.Customer) *load {
	t.Helper()
	l := &load{end: make(chan struct{})}
	for mobile, c := range customers {
		l.browsers.Go(func() {
			for {
				select {
				case <-l.end:
					return
				default:
				}
				_, err := c.FirstServices(t.Context())
				l.note(err, &l.read, &l.reading)
				_, err = c.LogIn(t.Context(), mobile, password)
				l.note(err, &l.signedIn, &l.signingIn)
			}
		})
	}
	return l
}

func (l *load) note(err error, done *atomic.Int64, failed *[]error) {
	if err == nil {
		done.Add(1)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	*failed = append(*failed, err)
}

// goOn returns once there were some more sign-ins and reads.
func (l *load) goOn(t *testing.T) {
	t.Helper()
	const more = 10
	read, signedIn := l.read.Load()+more, l.signedIn.Load()+more
	require.Eventually(t, func() bool { return l.read.Load() >= read && l.signedIn.Load() >= signedIn }, patience, 50*time.Millisecond)
}

func (l *load) stop() {
	close(l.end)
	l.browsers.Wait()
}

const sessionsSQL = `SELECT count(*) FROM sessions`

// restarts ends each api in turn under load: gracefully, which no client notices, and by killing it, which only affects clients
// whose request was in flight and may not be retried by anybody but them.
func restarts(t *testing.T, r *running) {
	t.Helper()
	customers := map[string]*customer.Customer{}
	for i := range 6 {
		mobile := fmt.Sprintf("931000000%d", i)
		customers[mobile] = r.customer(t, mobile)
	}
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		before := r.count(t, sessionsSQL)
		l := r.load(t, customers)
		for _, name := range []string{"api-1", "api-2"} {
			l.goOn(t)
			r.end(t, name, signal)
		}
		l.goOn(t)
		l.stop()
		made := r.count(t, sessionsSQL) - before
		t.Logf("%s: %d pages read, %d signed in, %d sessions; failed: %v %v", signal, l.read.Load(), l.signedIn.Load(), made, l.reading, l.signingIn)
		require.Empty(t, l.reading, "a page is asked for again")
		if signal == syscall.SIGTERM {
			require.Empty(t, l.signingIn, "an api that ends in order answers what it took")
		}
		require.LessOrEqual(t, len(l.signingIn), 2*len(customers))
		require.GreaterOrEqual(t, made, int(l.signedIn.Load()))
		require.LessOrEqual(t, made, int(l.signedIn.Load())+len(l.signingIn), "a request was worked twice")
	}
}

// end ends a process and returns once its replacement answers.
func (r *running) end(t *testing.T, name string, signal syscall.Signal) {
	t.Helper()
	before := r.read(t)
	require.NoError(t, syscall.Kill(before.Processes[name], signal))
	require.Eventually(t, func() bool {
		now := r.read(t).Processes[name]
		return now != 0 && now != before.Processes[name]
	}, patience, 50*time.Millisecond, "%s was not started again", name)
	require.Eventually(t, func() bool {
		for _, address := range before.API {
			if !isReady(t, address) {
				return false
			}
		}
		return true
	}, patience, 50*time.Millisecond)
}

func isReady(t *testing.T, address string) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/readyz", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	return response.Body.Close() == nil && response.StatusCode == http.StatusOK
}

// neverTwice adds a replica that passes each request on to a real one and then dies without an answer. The proxy cannot know
// whether the work was done: it retries a page elsewhere, but never a sign-in.
func neverTwice(t *testing.T, r *running) {
	t.Helper()
	const dying = "127.0.0.90"
	a := r.read(t)
	host, port, err := net.SplitHostPort(a.API[0])
	require.NoError(t, err)
	var pages, signIns atomic.Int64
	server := &http.Server{ReadHeaderTimeout: patience, Handler: http.HandlerFunc(func(_ http.ResponseWriter, in *http.Request) {
		if in.Method == http.MethodGet {
			pages.Add(1)
		} else {
			signIns.Add(1)
		}
		in.URL.Scheme, in.URL.Host = "http", a.API[0]
		if response, err := http.DefaultTransport.RoundTrip(in); err == nil {
			_ = response.Body.Close()
		}
		panic(http.ErrAbortHandler)
	})}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", net.JoinHostPort(dying, port))
	require.NoError(t, err)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })

	const mobile = "9320000001"
	c := r.customer(t, mobile)
	require.NoError(t, tellDNS(t.Context(), a.DNSServer, "api", []string{host, dying}))
	t.Cleanup(func() { _ = tellDNS(t.Context(), a.DNSServer, "api", []string{host}) })
	require.Eventually(t, func() bool {
		_, err := c.FirstServices(t.Context())
		require.NoError(t, err)
		return pages.Load() > 0
	}, patience, 50*time.Millisecond, "the proxy does not know the new replica")

	before, tries, failed, begun := r.count(t, sessionsSQL), 0, 0, time.Now()
	met := pages.Load()
	for ; failed < 3; tries++ {
		require.Less(t, time.Since(begun), patience, "the proxy passes the new replica over for good")
		if _, err := c.LogIn(t.Context(), mobile, password); err != nil {
			require.Equal(t, http.StatusBadGateway, customer.Status(err), err)
			failed++
		}
	}
	require.Equal(t, failed, int(signIns.Load()), "what died with the replica was told, and told once")
	require.Equal(t, tries, r.count(t, sessionsSQL)-before, "one sign-in, one session, answered or not")
	for ; pages.Load() < met+2; tries++ {
		require.Less(t, time.Since(begun), patience, "the proxy passes the new replica over for good")
		_, err := c.FirstServices(t.Context())
		require.NoError(t, err, "a page is asked for again")
	}
	// It has the fewest requests in flight because it ends them all at once, yet it must not get the next one.
	require.GreaterOrEqual(t, time.Since(begun), time.Duration(failed)*2*time.Second, "a replica that fails is passed over for two seconds")
	t.Logf("%d requests in %s, of which %d sign-ins failed", tries, time.Since(begun).Round(time.Second), failed)
}
