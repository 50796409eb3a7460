package tenant

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func now() time.Time { return time.Date(2026, time.November, 21, 5, 30, 0, 0, time.UTC) }

func ours() []string { return []string{"203.0.113.10", "2001:db8::10"} }

// claimed returns a claim to shop.example.in in the given state.
func claimed(state DomainState) CustomDomain {
	return CustomDomain{
		ID: "d1", Domain: "shop.example.in", Token: "abc", State: state, ClaimedAt: now().Add(-time.Hour), StateSince: now().Add(-time.Hour),
		FoundTXT: []string{}, FoundIPs: []string{},
	}
}

func TestJudge_EachAnswer_HasItsState(t *testing.T) {
	t.Parallel()
	proof := []string{"v=spf1 -all", "franchise360-verify=abc"}
	for name, tc := range map[string]struct {
		was       DomainState
		answer    Answer
		elsewhere bool
		want      DomainState
		verified  bool
		reason    string
	}{
		"nothing there yet":               {DomainPending, Answer{}, false, DomainPending, false, "was not found yet"},
		"a different value":               {DomainPending, Answer{TXT: []string{"franchise360-verify=abd"}, IPs: ours()}, false, DomainPending, false, "a different value"},
		"the value in other case":         {DomainPending, Answer{TXT: []string{"Franchise360-Verify=ABC"}, IPs: ours()}, false, DomainPending, false, "a different value"},
		"the value within another":        {DomainPending, Answer{TXT: []string{"x franchise360-verify=abc"}, IPs: ours()}, false, DomainPending, false, "a different value"},
		"proven, leads nowhere":           {DomainPending, Answer{TXT: proof}, false, DomainPending, true, "does not point to us yet"},
		"proven, leads elsewhere":         {DomainPending, Answer{TXT: proof, IPs: []string{"198.51.100.4"}}, false, DomainPending, true, "points elsewhere"},
		"proven, leads elsewhere too":     {DomainPending, Answer{TXT: proof, IPs: append(ours(), "198.51.100.4")}, false, DomainPending, true, "points elsewhere"},
		"proven, IPv4 alone":              {DomainPending, Answer{TXT: proof, IPs: ours()[:1]}, false, DomainActive, true, ""},
		"proven, IPv6 alone":              {DomainPending, Answer{TXT: proof, IPs: ours()[1:]}, false, DomainActive, true, ""},
		"proven and routed":               {DomainPending, Answer{TXT: proof, IPs: ours()}, false, DomainActive, true, ""},
		"stays":                           {DomainActive, Answer{TXT: proof, IPs: ours()}, false, DomainActive, true, ""},
		"mends":                           {DomainBroken, Answer{TXT: proof, IPs: ours()}, false, DomainActive, true, ""},
		"behind Cloudflare's proxy":       {DomainPending, Answer{TXT: proof, IPs: []string{"104.21.10.10", "172.67.20.20"}}, false, DomainPending, true, "DNS only"},
		"behind its proxy, IPv6 alone":    {DomainPending, Answer{TXT: proof, IPs: []string{"2606:4700::6815:a0a"}}, false, DomainPending, true, "DNS only"},
		"ours with one of the proxy":      {DomainPending, Answer{TXT: proof, IPs: append(ours(), "104.21.10.10")}, false, DomainPending, true, "DNS only"},
		"breaks: moved away":              {DomainActive, Answer{TXT: proof, IPs: []string{"198.51.100.4"}}, false, DomainBroken, true, "points elsewhere"},
		"stays broken":                    {DomainBroken, Answer{}, false, DomainBroken, false, "is gone"},
		"proven by another store":         {DomainPending, Answer{TXT: proof, IPs: ours()}, true, DomainPending, false, "Another store"},
		"proven by another store since":   {DomainActive, Answer{TXT: proof, IPs: ours()}, true, DomainPending, false, "Another store"},
		"another store's, and not proven": {DomainPending, Answer{IPs: ours()}, true, DomainPending, false, "was not found yet"},
	} {
		before := claimed(tc.was)
		got := before.judge(tc.answer, ours(), tc.elsewhere, now())
		require.Equal(t, tc.want, got.State, name)
		require.Equal(t, tc.verified, got.VerifiedAt != nil, name)
		if tc.reason == "" {
			require.Empty(t, got.Reason, name)
		} else {
			require.Contains(t, got.Reason, tc.reason, name)
		}
		require.Equal(t, now(), *got.CheckedAt, name)
		if tc.want == tc.was {
			require.Equal(t, before.StateSince, got.StateSince, "%s: since when it stands so", name)
		} else {
			require.Equal(t, now(), got.StateSince, name)
		}
		require.Equal(t, tc.answer.TXT, got.FoundTXT, name)
	}
}

// Without an answer each state stays, nothing is proven, and DNS is queried again soon.
func TestJudge_NoAnswer_KeepsTheState(t *testing.T) {
	t.Parallel()
	for _, state := range []DomainState{DomainPending, DomainActive, DomainBroken} {
		before := claimed(state)
		before.VerifiedAt, before.FoundTXT, before.FoundIPs = new(now().Add(-time.Hour)), []string{"a"}, []string{"b"}
		got := before.judge(Answer{Failed: true, TXT: []string{before.ProofValue()}, IPs: ours()}, ours(), true, now())
		require.Equal(t, state, got.State)
		require.Equal(t, before.VerifiedAt, got.VerifiedAt)
		require.Equal(t, []string{"a"}, got.FoundTXT)
		require.Equal(t, now().Add(5*time.Minute), *got.NextCheckAt)
		require.Contains(t, got.Reason, "did not answer")
	}
}

func TestJudge_NoAddressConfigured_StaysPending(t *testing.T) {
	t.Parallel()
	d := claimed(DomainPending)
	for _, ips := range [][]string{nil, {"198.51.100.4"}} {
		got := d.judge(Answer{TXT: []string{d.ProofValue()}, IPs: ips}, nil, false, now())
		require.Equal(t, DomainPending, got.State)
		require.Contains(t, got.Reason, "cannot be reached on this installation")
	}
	require.Len(t, d.Records(nil), 1, "the proof alone")
}

func TestNextCheck_OlderClaim_WaitsLonger(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, c := range []struct {
		age, wait time.Duration
	}{
		{0, time.Minute},
		{10*time.Minute - 1, time.Minute},
		{10 * time.Minute, 5 * time.Minute},
		{time.Hour - 1, 5 * time.Minute},
		{time.Hour, 30 * time.Minute},
		{day - 1, 30 * time.Minute},
		{day, 6 * time.Hour},
		{7*day - 1, 6 * time.Hour},
		{7 * day, day},
		{30*day - 1, day},
		{30 * day, 0},
		{400 * day, 0},
	} {
		pending, broken, active := claimed(DomainPending), claimed(DomainBroken), claimed(DomainActive)
		pending.ClaimedAt, pending.StateSince = now().Add(-c.age), now()
		broken.ClaimedAt, broken.StateSince = now().Add(-900*day), now().Add(-c.age)
		active.ClaimedAt, active.StateSince = now().Add(-c.age), now().Add(-c.age)
		require.Equal(t, now().Add(6*time.Hour), *active.nextCheck(now()), "a domain in use is looked at for ever")
		for _, d := range []CustomDomain{pending, broken} {
			if c.wait == 0 {
				require.Nil(t, d.nextCheck(now()), "%s after %s", d.State, c.age)
				continue
			}
			require.Equal(t, now().Add(c.wait), *d.nextCheck(now()), "%s after %s", d.State, c.age)
		}
	}
}

func TestRecords_ShowTheFoundValues(t *testing.T) {
	t.Parallel()
	d := claimed(DomainPending)
	d.FoundTXT, d.FoundIPs = []string{"x", "franchise360-verify=abc"}, []string{"203.0.113.10", "2001:db8::99"}
	require.Equal(t, []Record{
		{Type: "TXT", Name: "_franchise360.shop.example.in", Relative: "_franchise360.shop", Value: "franchise360-verify=abc", Purpose: PurposeProof, Found: d.FoundTXT, Matches: true},
		{Type: "A", Name: "shop.example.in", Relative: "shop", Value: "203.0.113.10", Purpose: PurposeRouting, Found: []string{"203.0.113.10"}, Matches: true},
		{Type: "AAAA", Name: "shop.example.in", Relative: "shop", Value: "2001:db8::10", Purpose: PurposeRouting, Found: []string{"2001:db8::99"}},
	}, d.Records(ours()))
	d.FoundIPs = nil
	for _, r := range d.Records(ours())[1:] {
		require.Equal(t, []string{}, r.Found, "an empty list, not none")
	}
}

func TestRecords_RelativeName_OmitsTheRegisteredDomain(t *testing.T) {
	t.Parallel()
	for domain, want := range map[string][2]string{
		"example.in": {"_franchise360", "@"}, "www.example.in": {"_franchise360.www", "www"}, "shop.example.co.in": {"_franchise360.shop", "shop"},
		"a.b.example.com": {"_franchise360.a.b", "a.b"}, "example.co.in": {"_franchise360", "@"}, "xn--11b4d3a.xn--h2brj9c": {"_franchise360", "@"},
	} {
		records := CustomDomain{Domain: domain, Token: "x"}.Records(ours())
		require.Equal(t, want, [2]string{records[0].Relative, records[1].Relative}, domain)
	}
}

func TestSlugs_OfAName_AreTriedInOrder(t *testing.T) {
	t.Parallel()
	got := slugs("Asha Sweets", "0f1e2d")
	require.Equal(t, "asha-sweets", got[0])
	require.Equal(t, "asha-sweets-2", got[1])
	require.Equal(t, "asha-sweets-9", got[8])
	require.Equal(t, "asha-sweets-0f1e2d", got[9])
	require.Len(t, got, 10)
	require.Equal(t, strings.Repeat("a", 40), slugs(strings.Repeat("A", 50), "x")[0])
	require.Equal(t, strings.Repeat("a", 39), slugs(strings.Repeat("a", 39)+" bbbbbbbbbb", "x")[0], "none ends in a hyphen")
	for _, name := range []string{"Admin", "WWW", "api", "XN", "Franchise360", "ns1", "localhost"} {
		require.Equal(t, strings.ToLower(name)+"-store", slugs(name, "x")[0])
	}
	require.Equal(t, "status-page-store", slugs("Status Page", "x")[0])
}

// Given any name that a store may have, then each of its domains is a valid DNS label that is not reserved for us.
func TestSlugs_AnyName_AreValidUnreservedLabels(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(
			rapid.StringMatching(`[A-Za-z0-9]{1,12}( [A-Za-z0-9]{1,12}){0,3}`), rapid.SampledFrom([]string{"Admin", "xn", "NS 1", "www"}),
		).Filter(func(s string) bool { return len(s) >= minName && len(s) <= maxName && !impersonates(s, Brands{}) }).Draw(t, "name")
		var v errs.Validation
		checkStoreName(&v, name, Brands{})
		require.NoError(t, v.Err())
		seen := map[string]bool{}
		for _, slug := range slugs(name, "0f1e2d") {
			require.Regexp(t, `^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`, slug)
			require.LessOrEqual(t, len(slug), 63)
			require.NotContains(t, slug, "--", "%s: no name that DNS would read as punycode", slug)
			require.False(t, reserved(slug), slug)
			require.False(t, seen[slug])
			seen[slug] = true
		}
	})
}

func TestStoreName_ValidAndInvalid(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Asha": "", "Asha Sweets 24": "", "  Asha   Sweets ": "", strings.Repeat("a", 50): "", "24": "",
		"": "Store Name can not be empty.", "   ": "Store Name can not be empty.", "A": msgCharacters, " A ": msgCharacters,
		strings.Repeat("a", 51): "Store Name should be 50 characters at most", strings.Repeat(" ", 51): "Store Name should be 50 characters at most",
		strings.Repeat("a", 10_000): "Store Name should be 50 characters at most",
	} {
		require.Equal(t, want, refusal(name), "%.60q", name)
	}
	for _, name := range []string{
		"Asha\tSweets", "Asha\nSweets", "Asha\u00A0Sweets", "Asha\u200BSweets", "\u202Eahsa", "आशा", "Ásha", "Asha\x00", "Asha🍬", "Asha-Sweets", "a.b", "a_b",
		"１２", "٣٤", "<script>", "Asha' OR 1=1", "\xff\xfe",
	} {
		require.Equal(t, "Please input alphanumeric characters only", refusal(name), "%q", name)
	}
}

func TestStoreName_OfBankAuthorityOrOperator_IsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"HDFC Bank login", "hdfcbank", "SBI", "sbi 1", "State Bank of India", "ICICI", "Axis Bank", "AXISBANK support", "PayTM KYC", "Franchise 360", "Franchise360 support",
		"franchise 3 60", "RBI refund", "Bank of Baroda", "Aadhaar update", "Income Tax", "G Pay", "UPI help", "IDBI", "Kotak Mahindra", "PhonePe",
		"Kotak", "KOTAK", "kotak bank", "Kotak Login 1", "kotakbank", "Kotak Life Insurance", "YONO", "Yono SBI", "yono lite", "Axis", "axisbank support", "Canara",
		"Yes Bank Pune", "yesbank", "Union Bank of India", "Indian Bank", "Central Bank", "Federal", "Bandhan", "AU Small Finance Bank", "au bank", "UCO", "IOB",
		"HSBC", "DBS", "Citibank", "Punjab National", "Punjab and Sind", "Karnataka Bank", "Bank of Maharashtra", "Standard Chartered", "Saraswat Bank",
		"Airtel Payments Bank", "Airtel Money", "Jio Pay", "MobiKwik", "Freecharge", "BharatPe", "RuPay", "FASTag", "Amazon Pay", "iMobile", "PayZapp", "CRIF CIBIL",
		"LIC", "EPF claim", "DigiLocker", "mParivahan Parivahan", "India Post", "PAN Card", "Govt of India", "CBI", "Cyber Cell", "e challan", "State Bank 24", "g pay 2",
		"World Bank", "Reserve Bank", "IMPS refund", "eKYC", "PayU 24", "Pay U Biz",
	} {
		require.Contains(t, refusal(name), "Please choose another name", name)
	}
	for _, name := range []string{
		"Axis Fitness", "Canara Cafe", "Union Sweets", "Indian Spice", "Cake Bank", "Asha Franchise", "Yes Momos", "Kotak Dairy", "Sbinala", "Uptown",
		"Kotakwala Sweets", "Kotak Brothers", "Bob Burgers", "Bling Payal", "Guru Payal", "Ring Pay", "Indus Industries", "Yes", "Indian", "Union", "Central", "City Care",
		"Federal Street Coffee", "Canara Sweets", "Police Chowki Chai", "Blood Bank Cafe", "Food Bank", "Sandeep Bank Road Tea", "Umang Sweets", "Cred Cafe", "Pizza Slice",
		"Life Services", "Online Cards", "Nia Boutique", "Utkarsh Sweets", "Licious", "Lica", "Upiri", "Chaupati", "Supino", "Japan Foods", "Post Cafe", "State Foods", "First Cry", "Capital Tiles", "Payustore",
	} {
		require.Empty(t, refusal(name), name)
	}
}

// refusal returns the message for the store name as typed, "" if it is accepted.
func refusal(name string) string {
	var v errs.Validation
	checkStoreName(&v, cleanStoreName(name), Brands{Within: []string{"payubiz"}, Words: []string{"payu"}})
	if v.Err() == nil {
		return ""
	}
	return errs.As(v.Err()).Fields["store_name"][0]
}

func TestStoreURL_DefaultAndCustomDomain(t *testing.T) {
	t.Parallel()
	custom := claimed(DomainActive)
	for name, tc := range map[string]struct {
		public string
		custom *CustomDomain
		want   string
	}{
		"default":                {"https://www.franchise360.in", nil, "https://asha.stores.franchise360.in/dashboard/login"},
		"in development":         {"http://localhost:8080", nil, "http://asha.stores.franchise360.in:8080/dashboard/login"},
		"custom":                 {"https://www.franchise360.in", &custom, "https://shop.example.in/dashboard/login"},
		"custom, in development": {"http://localhost:8080", &custom, "http://shop.example.in/dashboard/login"},
		"pending":                {"https://www.franchise360.in", new(claimed(DomainPending)), "https://asha.stores.franchise360.in/dashboard/login"},
		"broken":                 {"https://www.franchise360.in", new(claimed(DomainBroken)), "https://asha.stores.franchise360.in/dashboard/login"},
	} {
		public, err := url.Parse(tc.public)
		require.NoError(t, err)
		got := Config{BaseDomain: "stores.franchise360.in", Public: public, IPs: ours()}.store(Tenant{Slug: "asha"}, tc.custom)
		require.Equal(t, tc.want, got.DashboardURL, name)
		require.Equal(t, "asha.stores.franchise360.in", got.Domain, name)
		require.Equal(t, "203.0.113.10", got.IPAddress, "the one to show first")
	}
	got := Config{BaseDomain: "x.in", Public: &url.URL{Scheme: "https", Host: "y.in"}}.store(Tenant{Slug: "asha"}, nil)
	require.Empty(t, got.IPAddress, "nothing is made up where none is set")
}

func TestCapped_HugeAnswer_IsCut(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 100 {
		many = append(many, strconv.Itoa(i)+strings.Repeat("é", 500)+"\x00\r\n\u202E")
	}
	got := capped(many)
	require.Len(t, got, 16)
	for _, text := range got {
		require.LessOrEqual(t, len(text), 255)
		require.Regexp(t, `^[ -~]*$`, text)
	}
	require.Equal(t, []string{}, capped(nil))
	require.Equal(t, []string{"a", "b"}, capped([]string{"b", "a"}), "DNS gives them in any order")
}

// A domain in use survives misses of any kind for six hours; the miss after that breaks it.
func TestJudge_RecordsMissing_BreaksTheDomainAfterSixHours(t *testing.T) {
	t.Parallel()
	proof := []string{"franchise360-verify=abc"}
	for name, tc := range map[string]struct {
		answer Answer
		reason string
	}{
		"record gone":         {Answer{IPs: ours()}, "is gone"},
		"record of another":   {Answer{TXT: []string{"v=spf1 -all"}, IPs: ours()}, "a different value"},
		"another token":       {Answer{TXT: []string{"franchise360-verify=abd"}, IPs: ours()}, "a different value"},
		"a space behind it":   {Answer{TXT: []string{"franchise360-verify=abc "}, IPs: ours()}, "a different value"},
		"nothing answers":     {Answer{}, "is gone"},
		"no address any more": {Answer{TXT: proof}, "does not point to us yet"},
	} {
		d := claimed(DomainActive)
		d.VerifiedAt = new(now().Add(-time.Hour))
		for _, after := range []time.Duration{0, time.Minute, breaksAfter - 1} {
			d = d.judge(tc.answer, ours(), false, now().Add(after))
			require.Equal(t, DomainActive, d.State, name)
			require.NotNil(t, d.VerifiedAt, name)
			require.Contains(t, d.Reason, "stays open", name)
			require.Equal(t, now().Add(after+30*time.Minute), *d.NextCheckAt, name)
		}
		found := d.judge(Answer{TXT: proof, IPs: ours()}, ours(), false, now().Add(breaksAfter))
		require.Equal(t, DomainActive, found.State, name)
		require.Nil(t, found.MissingSince, "%s: the count starts anew", name)
		require.Empty(t, found.Reason, name)
		require.Equal(t, DomainActive, found.judge(tc.answer, ours(), false, now().Add(breaksAfter+time.Minute)).State, name)
		broken := d.judge(tc.answer, ours(), false, now().Add(breaksAfter))
		require.Equal(t, DomainBroken, broken.State, name)
		require.Contains(t, broken.Reason, tc.reason, name)
	}
}

// A missing route does not concern the proof, so the proof has six hours of its own. The proxy serves every host with a proof.
func TestJudge_ProofMissesOnceAfterAnotherFault_StaysProven(t *testing.T) {
	t.Parallel()
	good := Answer{TXT: []string{"franchise360-verify=abc"}, IPs: ours()}
	forbidden, nowhere, elsewhere, proxied := good, good, good, good
	forbidden.CAAName, forbidden.CAA = "example.in", []string{`0 issue "digicert.com"`}
	nowhere.IPs, elsewhere.IPs, proxied.IPs = nil, []string{"198.51.100.4"}, []string{"104.21.10.10"}
	for name, before := range map[string]Answer{
		"CAA": forbidden, "no address": nowhere, "address of another": elsewhere, "Cloudflare": proxied, "no fault": good,
	} {
		for _, was := range []DomainState{DomainPending, DomainActive, DomainBroken} {
			for _, faults := range []int{1, 2, 3} {
				t.Run(fmt.Sprintf("%s, %s, %d checks", name, was, faults), func(t *testing.T) {
					t.Parallel()
					d, at := claimed(was), now()
					d.VerifiedAt = new(at.Add(-time.Hour))
					for range faults {
						d = d.judge(before, ours(), false, at)
						at = at.Add(3 * time.Hour)
					}
					missed := before
					missed.TXT = nil
					d = d.judge(missed, ours(), false, at)
					require.NotNil(t, d.VerifiedAt)
					require.Contains(t, d.Reason, "stays open")
					require.Equal(t, at.Add(30*time.Minute), *d.NextCheckAt)
					require.NotNil(t, d.judge(missed, ours(), false, at.Add(breaksAfter-1)).VerifiedAt)
					lost := d.judge(missed, ours(), false, at.Add(breaksAfter))
					require.Nil(t, lost.VerifiedAt)
					require.Nil(t, lost.MissingSince)
					found := d.judge(before, ours(), false, at.Add(breaksAfter))
					require.NotNil(t, found.VerifiedAt)
				})
			}
		}
	}
}

func TestForbids_CAARecords(t *testing.T) {
	t.Parallel()
	issue := func(values ...string) (out []CAA) {
		for _, value := range values {
			out = append(out, CAA{Tag: "issue", Value: value})
		}
		return out
	}
	for name, tc := range map[string]struct {
		records []CAA
		want    bool
	}{
		"no record":                   {nil, false},
		"Let's Encrypt":               {issue("letsencrypt.org"), false},
		"in capitals, with spaces":    {[]CAA{{Tag: "ISSUE", Value: " LetsEncrypt.org "}}, false},
		"the proxy's second issuer":   {issue("sectigo.com"), false},
		"its former name":             {issue("comodoca.com"), false},
		"another issuer":              {issue("digicert.com"), true},
		"no issuer":                   {issue(";"), true},
		"another and ours":            {issue("digicert.com", "letsencrypt.org"), false},
		"ours as part of a name":      {issue("notletsencrypt.org"), true},
		"wildcards of another":        {[]CAA{{Tag: "issuewild", Value: "digicert.com"}}, false},
		"a contact":                   {[]CAA{{Tag: "iodef", Value: "mailto:a@example.in"}}, false},
		"an unknown tag":              {[]CAA{{Tag: "tbs", Value: "x"}}, false},
		"an unknown critical tag":     {append(issue("letsencrypt.org"), CAA{Critical: true, Tag: "tbs", Value: "x"}), true},
		"another account of ours":     {issue("letsencrypt.org; accounturi=https://acme.example/1"), true},
		"validation by DNS alone":     {issue("letsencrypt.org; validationmethods=dns-01"), true},
		"validation by HTTP and DNS":  {issue("letsencrypt.org; validationmethods=dns-01,http-01"), false},
		"ours restricted and without": {issue("letsencrypt.org; validationmethods=dns-01", "letsencrypt.org"), false},
	} {
		require.Equal(t, tc.want, forbids(tc.records), name)
	}
}

func TestJudge_CAAForbidsOurIssuer_IsNotActive(t *testing.T) {
	t.Parallel()
	a := Answer{TXT: []string{"franchise360-verify=abc"}, IPs: ours(), CAAName: "example.in", CAA: []string{`0 issue "digicert.com"`}}
	pending := claimed(DomainPending)
	pending = pending.judge(a, ours(), false, now())
	require.Equal(t, DomainPending, pending.State)
	require.Contains(t, pending.Reason, "CAA")
	require.NotNil(t, pending.VerifiedAt)
	records := pending.Records(ours())
	require.Equal(t, Record{
		Type: "CAA", Name: "example.in", Relative: "@", Value: `0 issue "letsencrypt.org"`, Purpose: PurposeCertificate, Found: a.CAA,
	}, records[len(records)-1])

	active := claimed(DomainActive)
	active = active.judge(a, ours(), false, now())
	require.Equal(t, DomainActive, active.State, "its certificate is valid for weeks")
	require.Contains(t, active.Reason, "CAA")
	active = active.judge(a, ours(), false, now().Add(breaksAfter))
	require.Equal(t, DomainBroken, active.State)
	a.CAAName, a.CAA = "", nil
	active = active.judge(a, ours(), false, now().Add(breaksAfter))
	require.Equal(t, DomainActive, active.State)
	require.Len(t, active.Records(ours()), 3)
}
