package tenant

import (
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// DomainState is the state of a custom domain.
type DomainState string

// The states of a custom domain: claimed, in use, and formerly in use but no longer answering as expected.
const (
	DomainPending DomainState = "pending"
	DomainActive  DomainState = "active"
	DomainBroken  DomainState = "broken"
)

// CustomDomain is a store's claim to its own domain, with the last DNS answer.
type CustomDomain struct {
	ID, FranchiserID, TenantID string
	// Domain is the name in punycode, Display as the user typed it.
	Domain, Display string
	Token           string
	State           DomainState
	// VerifiedAt is when the TXT record was last found; nil until it is.
	VerifiedAt         *time.Time
	FoundTXT, FoundIPs []string
	// CAAName is the name whose CAA records, FoundCAA, forbid our certificates, or empty.
	CAAName               string
	FoundCAA              []string
	Reason                string
	ClaimedAt, StateSince time.Time
	CheckedAt             *time.Time
	// AskedAt is the time of the owner's last request for a check; nil once a check that began later has finished.
	AskedAt *time.Time
	// MissingSince is the first of the consecutive misses of a domain in use, or of the proof of a verified domain; nil after a check that
	// found its records. The first miss of the proof restarts the count, so that an earlier fault never costs the proof.
	MissingSince *time.Time
	// NextCheckAt is nil once checks have stopped.
	NextCheckAt *time.Time
}

const (
	proofLabel  = "_franchise360."
	proofPrefix = "franchise360-verify="
	maxDomain   = 40
	// breaksAfter is how long the records of a domain in use have to be missing before it breaks. One empty answer is often a
	// fault of a name server, and the store must not go offline for it.
	breaksAfter = 6 * time.Hour
	// RecordTTL is the TTL suggested for the records to copy, in seconds.
	RecordTTL = 3600
)

// RecordPurpose is the purpose of a DNS record.
type RecordPurpose string

// The purposes: to prove ownership, to direct visitors here, and to permit our certificate.
const (
	PurposeProof       RecordPurpose = "proof"
	PurposeRouting     RecordPurpose = "routing"
	PurposeCertificate RecordPurpose = "certificate"
)

// Record is one DNS record to enter at the registrar, with its current values.
type Record struct {
	Type, Name, Value string
	// Relative is the name without the domain that was registered, `@` for that domain itself: what to enter at a registrar that adds it.
	Relative string
	Purpose  RecordPurpose
	Found    []string
	Matches  bool
}

// ProofName returns the name at which the TXT record is looked up.
func (d CustomDomain) ProofName() string { return proofLabel + d.Domain }

// zone returns the domain that was registered: that of shop.example.in is example.in.
func (d CustomDomain) zone() string {
	zone, err := publicsuffix.EffectiveTLDPlusOne(d.Domain)
	if err != nil { // ParseDomain refuses names without such a part
		return d.Domain
	}
	return zone
}

func (d CustomDomain) relative(name string) string {
	if name == d.zone() {
		return "@"
	}
	return strings.TrimSuffix(name, "."+d.zone())
}

// doubledName is the TXT record's name if it was entered in full at a registrar that appends the domain.
func (d CustomDomain) doubledName() string { return d.ProofName() + "." + d.zone() }

// ProofValue returns the required content of the TXT record.
func (d CustomDomain) ProofValue() string { return proofPrefix + d.Token }

// Records returns the records to enter: the proof, one for each of our addresses, and a CAA record if others forbid our certificate.
func (d CustomDomain) Records(ips []string) []Record {
	out := []Record{{
		Type: "TXT", Name: d.ProofName(), Relative: d.relative(d.ProofName()), Value: d.ProofValue(), Purpose: PurposeProof, Found: d.FoundTXT,
		Matches: slices.Contains(d.FoundTXT, d.ProofValue()),
	}}
	for _, ip := range ips {
		kind := "A"
		if strings.Contains(ip, ":") {
			kind = "AAAA"
		}
		out = append(out, Record{
			Type: kind, Name: d.Domain, Relative: d.relative(d.Domain), Value: ip, Purpose: PurposeRouting, Found: ofFamily(d.FoundIPs, kind), Matches: slices.Contains(d.FoundIPs, ip),
		})
	}
	if d.CAAName != "" {
		out = append(out, Record{
			Type: "CAA", Name: d.CAAName, Relative: d.relative(d.CAAName), Value: allowed().String(), Purpose: PurposeCertificate, Found: d.FoundCAA,
		})
	}
	return out
}

func ofFamily(ips []string, kind string) []string {
	out := []string{}
	for _, ip := range ips {
		if strings.Contains(ip, ":") == (kind == "AAAA") {
			out = append(out, ip)
		}
	}
	return out
}

// errDomain refuses a custom domain; the text says what to enter instead.
func errDomain(text string) error { return errs.Invalid(text).Field("custom_domain", text) }

const (
	msgDomain     = "Enter valid domain name"
	msgLongDomain = "Enter valid domain name of 40 characters at most"
	msgOurDomain  = "This address belongs to Franchise 360. Enter a domain that you bought, such as shop.yourbrand.in."
	msgNoDomain   = "Nobody can own this domain. Enter a domain that you bought, such as shop.yourbrand.in."
	msgScripts    = "This domain mixes alphabets. Write each part in one alphabet, such as English letters only."
)

// ParseDomain checks a custom domain and returns it in punycode and in readable form. It refuses IP addresses, ports,
// single labels, reserved names and public suffixes, our own domains, and names that mix scripts to look like others.
func ParseDomain(text string, c Config) (ascii, display string, err error) {
	text = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(text), "."))
	if text == "" {
		return "", "", errDomain(i18n.Mark("Required"))
	}
	if utf8.RuneCountInString(text) > maxDomain {
		return "", "", errDomain(i18n.Mark(msgLongDomain))
	}
	if strings.ContainsAny(text, ":/@?#%[]*_ \t\r\n\\") || !strings.Contains(text, ".") {
		return "", "", errDomain(i18n.Mark(msgDomain))
	}
	if _, err := netip.ParseAddr(text); err == nil || strings.ContainsFunc(text, invisible) {
		return "", "", errDomain(i18n.Mark(msgDomain))
	}
	profile := idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(true), idna.BidiRule(),
		idna.ValidateLabels(true), idna.VerifyDNSLength(true))
	ascii, err = profile.ToASCII(text)
	if err != nil {
		return "", "", errDomain(i18n.Mark(msgDomain))
	}
	display, err = profile.ToUnicode(ascii)
	if err != nil {
		return "", "", errDomain(i18n.Mark(msgDomain))
	}
	for label := range strings.SplitSeq(display, ".") {
		if !oneScript(label) {
			return "", "", errDomain(i18n.Mark(msgScripts))
		}
	}
	switch {
	case c.ours(ascii):
		return "", "", errDomain(i18n.Mark(msgOurDomain))
	case !registrable(ascii):
		return "", "", errDomain(i18n.Mark(msgNoDomain))
	}
	return ascii, display, nil
}

// invisible reports whether a character is silently dropped by idna or is not text at all.
func invisible(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Cc) || r == utf8.RuneError }

// registrable reports whether the name can be owned: it is below an existing public suffix and is not one itself.
func registrable(ascii string) bool {
	suffix, known := publicsuffix.PublicSuffix(ascii)
	if !known && !strings.Contains(suffix, ".") { // not in the list: .localhost, .internal, .test, numbers, invented names
		return false
	}
	own, err := publicsuffix.EffectiveTLDPlusOne(ascii)
	return err == nil && own != "" && ascii != suffix
}

// ours reports whether the name is the product's own, or a subdomain or parent of it.
func (c Config) ours(ascii string) bool {
	for _, own := range []string{c.BaseDomain, c.Public.Hostname()} {
		if own != "" && (ascii == own || strings.HasSuffix(ascii, "."+own) || strings.HasSuffix(own, "."+ascii)) {
			return true
		}
	}
	return false
}

// oneScript reports whether a label is written in Latin or in a single Indian script; that rules out lookalike letters
// from other scripts (Unicode Technical Standard 39).
func oneScript(label string) bool {
	var found *unicode.RangeTable
	for _, r := range label {
		if r == '-' || unicode.Is(unicode.Common, r) && unicode.IsDigit(r) || unicode.Is(unicode.Inherited, r) {
			continue
		}
		script := scriptOf(r)
		if script == nil || found != nil && found != script {
			return false
		}
		found = script
	}
	return true
}

func scriptOf(r rune) *unicode.RangeTable {
	for _, t := range []*unicode.RangeTable{
		unicode.Latin, unicode.Devanagari, unicode.Bengali, unicode.Gujarati, unicode.Gurmukhi, unicode.Kannada,
		unicode.Malayalam, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Arabic, unicode.Ol_Chiki, unicode.Meetei_Mayek,
	} {
		if unicode.Is(t, r) {
			return t
		}
	}
	return nil
}

// Answer is the result of one DNS check of a custom domain.
type Answer struct {
	TXT, IPs []string
	// CAAName is the name whose CAA records, CAA, forbid our certificates, or empty.
	CAAName string
	CAA     []string
	// Doubled reports that the proof was found under the doubled domain.
	Doubled bool
	// Failed reports that DNS gave no answer at all, which proves nothing either way.
	Failed bool
}

// judge returns the claim updated by the answer. takenElsewhere reports that another store has proven the domain.
func (d CustomDomain) judge(a Answer, ips []string, takenElsewhere bool, now time.Time) CustomDomain {
	d.CheckedAt = &now
	if a.Failed {
		d.Reason = i18n.Mark("The name servers of this domain did not answer. We check again in a few minutes.")
		d.NextCheckAt = later(now, 5*time.Minute)
		return d
	}
	proven := slices.Contains(a.TXT, d.ProofValue())
	if !proven && slices.Contains(d.FoundTXT, d.ProofValue()) {
		d.MissingSince = nil
	}
	d.FoundTXT, d.FoundIPs = a.TXT, a.IPs
	d.CAAName, d.FoundCAA = a.CAAName, append([]string{}, a.CAA...)
	routed := len(a.IPs) > 0 && !slices.ContainsFunc(a.IPs, func(ip string) bool { return !slices.Contains(ips, ip) })
	was := d.State
	switch {
	case proven && takenElsewhere:
		d.VerifiedAt, d.State = nil, DomainPending
		d.Reason = i18n.Mark("Another store has verified this domain. It is being checked again.")
	case proven && routed && a.CAAName != "" && (was != DomainActive || !d.missing(now)):
		d.VerifiedAt, d.State, d.Reason = &now, fallen(was), i18n.Mark(uncertified)
	case proven && routed && a.CAAName != "":
		d.VerifiedAt, d.Reason = &now, i18n.Mark(uncertified)
	case proven && routed:
		d.VerifiedAt, d.State, d.Reason, d.MissingSince = &now, DomainActive, "", nil
	case (!proven && d.VerifiedAt != nil || was == DomainActive && len(a.IPs) == 0) && d.missing(now):
		d.Reason = i18n.Mark("A record of this domain was not found at the last check. Your store stays open while we check again. " +
			"If you removed the record, enter it again.")
	case proven:
		d.VerifiedAt, d.State = &now, fallen(was)
		d.Reason = unrouted(a.IPs, ips)
	default:
		d.VerifiedAt, d.State = nil, fallen(was)
		d.Reason = unproven(a, d.State)
	}
	if d.State != was {
		d.StateSince, d.MissingSince = now, nil
	}
	if d.State != DomainActive && (proven || d.VerifiedAt == nil) {
		d.MissingSince = nil
	}
	d.NextCheckAt = d.nextCheck(now)
	return d
}

// missing notes a miss and reports whether it is too early to call the domain broken or unproven.
func (d *CustomDomain) missing(now time.Time) bool {
	if d.MissingSince == nil {
		d.MissingSince = &now
	}
	return now.Sub(*d.MissingSince) < breaksAfter
}

func fallen(was DomainState) DomainState {
	if was == DomainActive {
		return DomainBroken
	}
	return was
}

func unproven(a Answer, state DomainState) string {
	if a.Doubled {
		return i18n.Mark("The TXT record was entered with the domain twice, because your registrar adds the domain by itself. Enter the short name instead.")
	}
	if len(a.TXT) == 0 && state == DomainBroken {
		return i18n.Mark("The TXT record is gone. Enter it again; it has to stay while you use the domain.")
	}
	if len(a.TXT) == 0 {
		return i18n.Mark("The TXT record was not found yet. DNS changes can take up to 48 hours.")
	}
	return i18n.Mark("The TXT record has a different value from the one below.")
}

const uncertified = "A CAA record forbids the certificate that this domain needs. Add the CAA record below; the others may stay."

func unrouted(found, ips []string) string {
	switch {
	case len(ips) == 0:
		return i18n.Mark("The domain is verified. Custom domains cannot be reached on this installation.")
	case len(found) == 0:
		return i18n.Mark("The domain is verified, but it does not point to us yet. DNS changes can take up to 48 hours.")
	case slices.ContainsFunc(found, proxied):
		return i18n.Mark(`The domain is verified, but it stands behind Cloudflare's proxy. In Cloudflare's DNS settings choose "DNS only" for it.`)
	case !slices.ContainsFunc(found, func(ip string) bool { return slices.Contains(ips, ip) }):
		return i18n.Mark("The domain is verified, but it points elsewhere. Replace its A and AAAA records by the ones below.")
	default:
		return i18n.Mark("The domain is verified, but it also points elsewhere. Remove its other A and AAAA records.")
	}
}

// nextCheck checks often at first, because people are waiting, and then less and less often; a claim not proven for 30
// days is not checked again until somebody asks.
func (d CustomDomain) nextCheck(now time.Time) *time.Time {
	if d.MissingSince != nil {
		return later(now, 30*time.Minute)
	}
	if d.State == DomainActive {
		return later(now, 6*time.Hour)
	}
	age := now.Sub(d.ClaimedAt)
	if d.State == DomainBroken {
		age = now.Sub(d.StateSince)
	}
	switch {
	case age < 10*time.Minute:
		return later(now, time.Minute)
	case age < time.Hour:
		return later(now, 5*time.Minute)
	case age < 24*time.Hour:
		return later(now, 30*time.Minute)
	case age < 7*24*time.Hour:
		return later(now, 6*time.Hour)
	case age < 30*24*time.Hour:
		return later(now, 24*time.Hour)
	}
	return nil
}

func later(now time.Time, d time.Duration) *time.Time {
	at := now.Add(d)
	return &at
}
