package payu_test

import (
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/gatewaytest"
)

// The merchant of PayU's published examples.
const (
	key  = "JPM7Fg"
	salt = "TuxqAugd"
)

// provider is a fake PayU: it checks each hash, and answers the commands of the merchant API.
type provider struct {
	t       *testing.T
	server  *httptest.Server
	mu      sync.Mutex
	paid    map[string]map[string]any
	refunds map[string]string
	amounts map[string]string
	mode    string
	last    map[string]string
	stop    chan struct{}
}

func start(t *testing.T) *provider {
	t.Helper()
	p := &provider{t: t, paid: map[string]map[string]any{}, refunds: map[string]string{}, amounts: map[string]string{}, stop: make(chan struct{})}
	p.server = httptest.NewServer(p)
	t.Cleanup(func() { close(p.stop); p.server.Close() })
	return p
}

// ServeHTTP answers postservice.php in the current mode.
func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode == "500" {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if gatewaytest.Misbehave(w, r, p.mode, p.stop) {
		return
	}
	command, var1 := r.FormValue("command"), r.FormValue("var1")
	if r.FormValue("hash") != sha(key, command, var1, salt) || !strings.HasSuffix(r.URL.Path, "/merchant/postservice.php") {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	_ = json.NewEncoder(w).Encode(p.command(r, command, var1))
}

func (p *provider) command(r *http.Request, command, var1 string) any {
	switch command {
	case "verify_payment":
		d, ok := p.paid[var1]
		if !ok {
			d = map[string]any{"status": "Not Found"}
		}
		return map[string]any{"status": 1, "msg": "1 out of 1", "transaction_details": map[string]any{var1: d}}
	case "cancel_refund_transaction":
		token := r.FormValue("var2")
		if p.refunds[token] != "" {
			return map[string]any{"status": 0, "msg": "Refund FAILURE - token already used or request pending", "error_code": 106}
		}
		p.refunds[token] = fmt.Sprint(1000 + len(p.refunds))
		p.amounts[token] = r.FormValue("var3")
		return map[string]any{"status": 1, "msg": "Refund Request Queued", "request_id": p.refunds[token], "error_code": 102}
	case "check_action_status":
		actions := map[string]any{"999": map[string]any{"status": "SUCCESS", "action": "capture", "mihpayid": var1, "amt": "1.00", "token": ""}}
		for token, id := range p.refunds {
			actions[id] = map[string]any{
				"status": "success", "action": "refund", "mihpayid": var1, "amt": p.amounts[token], "token": token, "request_id": id,
			}
		}
		return map[string]any{"status": 1, "transaction_details": map[string]any{var1: actions}}
	default:
		return map[string]any{"status": 0, "msg": "unknown command"}
	}
}

func (p *provider) Gateway() payment.Gateway {
	return payu.New(payu.Config{Key: key, Salt: salt, BaseURL: p.server.URL, APIURL: p.server.URL})
}

func (p *provider) Complete(t *testing.T, s payment.Session, end payment.Status, amount money.Paise) payment.Incoming {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	f := s.Fields
	require.Equal(t, sha(key, f["txnid"], f["amount"], f["productinfo"], f["firstname"], f["email"],
		"", "", "", "", "", "", "", "", "", "", salt), f["hash"])
	status, unmapped := "success", "captured"
	if end == payment.StatusFailed {
		status, unmapped = "failure", "failed"
	}
	p.paid[f["txnid"]] = map[string]any{
		"mihpayid": "403993715500000001", "txnid": f["txnid"], "transaction_amount": amount.Decimal(), "amt": amount.Decimal(),
		"status": status, "unmappedstatus": unmapped, "mode": "UPI", "field9": "Cancelled by the customer",
		"firstname": f["firstname"], "card_no": "411111XXXXXX4111",
	}
	form := map[string]string{
		"key": key, "txnid": f["txnid"], "amount": f["amount"], "productinfo": f["productinfo"], "firstname": f["firstname"],
		"email": f["email"], "phone": f["phone"], "status": status, "unmappedstatus": unmapped, "mihpayid": "403993715500000001",
		"mode": "UPI", "cardnum": "411111XXXXXX4111",
	}
	form["hash"] = sha(salt, status, "", "", "", "", "", "", "", "", "", "", f["email"], f["firstname"], f["productinfo"],
		f["amount"], f["txnid"], key)
	p.last = form
	return payment.Incoming{Form: form}
}

func (p *provider) Webhook(*testing.T) payment.Incoming { return payment.Incoming{Form: p.last} }

func (p *provider) Break(mode string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = mode
}

// Wire names the fields under PayU's hash that the tests change.
func (*provider) Wire() gatewaytest.Wire {
	return gatewaytest.Wire{Signed: []string{"txnid", "amount", "status", "hash"}}
}

func (p *provider) Refunds() int { return len(p.refunds) }

func sha(parts ...string) string {
	sum := sha512.Sum512([]byte(strings.Join(parts, "|")))
	return hex.EncodeToString(sum[:])
}

func TestPayU_CommonGatewayTests_Pass(t *testing.T) {
	t.Parallel()
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Provider {
		t.Helper()
		return start(t)
	})
}
