package staff

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/passkey"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// MaxPasskeys is how many passkeys a member may have.
const MaxPasskeys = 10

// maxPasskeyName is how many characters the name of a passkey has at most.
const maxPasskeyName = 60

// PasskeyInfo is a passkey as its owner sees it.
type PasskeyInfo struct {
	ID   string `db:"id"`
	Name string `db:"name"`
	// Synced means that it may be on several devices of its owner, as those of password managers are.
	Synced     bool       `db:"synced"`
	CreatedAt  time.Time  `db:"created_at"`
	LastUsedAt *time.Time `db:"last_used_at"`
}

// Passkeys signs staff in by passkeys and lets each member manage their own. A passkey replaces both password and second factor,
// because the device makes its owner unlock it.
type Passkeys struct {
	accounts *Accounts
	site     *passkey.Site
}

// NewPasskeys returns the passkeys of the accounts at the site.
func NewPasskeys(accounts *Accounts, site *passkey.Site) *Passkeys {
	return wiring.Complete(&Passkeys{accounts: accounts, site: site})
}

// Codes of a sign-in by passkey that is refused.
const (
	codePasskeyRefused = "passkey_refused"
	codePasskeyCopied  = "passkey_copied"
)

func errPasskey() *errs.Error {
	return errs.New(errs.KindMalformed, codePasskeyRefused, "This passkey does not sign you in here. Sign in with password and code.")
}

func errPasskeyExpired() *errs.Error {
	return errs.New(errs.KindMalformed, "passkey_expired", "This took too long, or was started again in another tab. Please try again.")
}

// errPasskeyCopied is returned only to the holder of the key, so it discloses nothing.
func errPasskeyCopied() *errs.Error {
	return errs.New(errs.KindMalformed, codePasskeyCopied,
		"This passkey seems to have been copied, and signs nobody in. Sign in with password and code, remove it, and tell an admin.")
}

func errManyPasskeys() *errs.Error {
	return errs.New(errs.KindConflict, "too_many_passkeys", "You have ten passkeys, which is the most. Remove one first.")
}

// unavailable turns a site without passkeys into an answer.
func unavailable(err error) error {
	if errors.Is(err, passkey.ErrNoDomain) {
		return errs.New(errs.KindConflict, "passkeys_unavailable", "Passkeys need a site with a domain name, and this one has an IP address.")
	}
	return err
}

func ownerOf(staffID, email, name string) passkey.Owner {
	return passkey.Owner{ID: []byte(staffID), Name: email, Title: name}
}

func passkeyBinding(passkeyID string) string { return "staff passkey:" + passkeyID }

// AskSignIn returns the browser's passkey options, and the token that the same browser must return within passkey.Life.
func (k *Passkeys) AskSignIn(ctx context.Context) (options json.RawMessage, token string, err error) {
	ask, err := k.site.Request()
	if err != nil {
		return nil, "", unavailable(err)
	}
	token = secret.Token()
	return ask.Options, token, askPasskey(ctx, k.accounts.db, secret.Hash(token), ask.Challenge, k.now().Add(passkey.Life))
}

// SignIn opens a session for the owner of the passkey. Every refused passkey gets the same answer, except a copied one, which only its
// holder can present. Failures count towards the same rate limit as SignIn by password.
func (k *Passkeys) SignIn(ctx context.Context, token string, used passkey.Used, v guard.Visitor) (t Tokens, err error) {
	people := k.accounts.people
	credentialID, err := used.IDOf()
	if err != nil || len(credentialID) == 0 {
		return Tokens{}, errPasskey().Because(err)
	}
	found, err := findPasskey(ctx, k.accounts.db, credentialID)
	if err != nil {
		return Tokens{}, err
	}
	account := found.Email
	if account == "" {
		account = "unknown passkey"
	}
	err = people.guard.Try(ctx, people.limits.Staff, guard.KindStaff, account, v, func() error {
		challenge, err := useChallenge(ctx, k.accounts.db, secret.Hash(token), "sign_in", k.now())
		if err != nil {
			return err
		}
		if found.ID == "" {
			return errPasskey()
		}
		t, err = k.open(ctx, found, challenge, used, v.Address)
		return err
	})
	if err != nil && errs.As(err).Code == codePasskeyRefused && found.ID != "" {
		return Tokens{}, errors.Join(err, people.recordFailure(ctx, found.Email, v.Address))
	}
	return t, err
}

func (k *Passkeys) now() time.Time { return k.accounts.people.clock.Now() }

// open judges the answer and opens the session with the passkey's secret.
func (k *Passkeys) open(ctx context.Context, found foundPasskey, challenge []byte, used passkey.Used, address string) (Tokens, error) {
	people, now := k.accounts.people, k.now()
	uses, copied, err := k.site.Verify([]byte(found.StaffID), found.key(), challenge, used)
	if errors.Is(err, passkey.ErrRefused) {
		return Tokens{}, errPasskey().Because(err)
	}
	if err != nil {
		return Tokens{}, unavailable(err)
	}
	opener, err := people.keys.Open(secret.PurposePasskey, passkeyBinding(found.ID), found.Sealed)
	if err != nil {
		return Tokens{}, err
	}
	token := secret.Token()
	t := Tokens{
		Principal: Principal{
			SessionID: id.New(), StaffID: found.StaffID, Email: found.Email, Name: found.StaffName, Role: found.Role, Proof: secret.Hash(token),
		},
		Token: token, ExpiresAt: now.Add(SessionLife),
	}
	err = postgres.InTx(ctx, k.accounts.db, func(tx *sqlx.Tx) error {
		outcome := "copied"
		if !copied {
			if outcome, err = beginPasskeySessionTx(ctx, tx, found.ID, opener, uses, t, address, now); err != nil {
				return err
			}
		}
		switch outcome {
		case "open":
			if err := postgres.ShowProof(ctx, tx, t.Proof); err != nil {
				return err
			}
			return people.RecordTx(ctx, tx, t.Principal, Action{
				Action: "sign_in", Target: "staff:" + t.StaffID, Reason: "Signed in with the passkey " + found.Name + " from " + address,
			})
		case "copied":
			copied = true
			return k.noteCopyTx(ctx, tx, found, opener, address)
		default:
			return errPasskey()
		}
	})
	if err == nil && copied {
		err = errPasskeyCopied()
	}
	if err != nil {
		return Tokens{}, err
	}
	return t, nil
}

// noteCopyTx records that a copy of the passkey is about, and tells its owner.
func (k *Passkeys) noteCopyTx(ctx context.Context, tx *sqlx.Tx, found foundPasskey, opener []byte, address string) error {
	notice := k.notice()
	why := "The passkey " + found.Name + " came from " + address + " with a count that did not grow, as a copy would"
	noted, err := yesTx(ctx, tx, "note copied passkey", noteCopiedSQL, found.ID, opener, id.New(), orNull(notice), why, address, k.now())
	if err != nil || !noted {
		return err
	}
	return k.tellTx(ctx, tx, notice)
}

// AskNew returns the browser's options for a new passkey. It needs a Proof; wrong passwords and codes count as guesses.
func (k *Passkeys) AskNew(ctx context.Context, p Principal, proof Proof) (options json.RawMessage, err error) {
	var checks errs.Validation
	if proof.check(&checks); checks.Err() != nil {
		return nil, checks.Err()
	}
	var known []passkey.Key
	err = postgres.InTx(ctx, k.accounts.db, func(tx *sqlx.Tx) error {
		known, err = keysOfTx(ctx, tx, p.StaffID)
		return err
	})
	if err != nil {
		return nil, err
	}
	ask, err := k.site.Create(ownerOf(p.StaffID, p.Email, p.Name), known)
	if err != nil {
		return nil, unavailable(err)
	}
	err = k.accounts.withProof(ctx, p, proof, func(hash string) error {
		return postgres.InTx(ctx, k.accounts.db, func(tx *sqlx.Tx) error {
			outcome, err := textTx(ctx, tx, "ask for a new passkey", askNewSQL, hash, ask.Challenge, MaxPasskeys, k.now().Add(passkey.Life))
			if err != nil {
				return err
			}
			return passkeyOutcome(outcome)
		})
	})
	return ask.Options, err
}

// passkeyOutcome turns the result of a SQL function that changes passkeys into an error.
func passkeyOutcome(outcome string) error {
	switch outcome {
	case "done":
		return nil
	case "password":
		return errCurrent()
	case "many":
		return errManyPasskeys()
	case "known":
		return errs.New(errs.KindConflict, "passkey_known", "This passkey is registered already.")
	case "expired":
		return errPasskeyExpired()
	default:
		return errs.NotFound()
	}
}

// NewPasskey is a browser's answer, under the name that its owner gives it.
type NewPasskey struct {
	Name string
	Made passkey.Made
}

func cleanPasskeyName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	var v errs.Validation
	v.Check(name != "" && utf8.RuneCountInString(name) <= maxPasskeyName, "name", "Please name the passkey in at most 60 characters.")
	return name, v.Err()
}

func checkTransports(list []string) error {
	var v errs.Validation
	ok := len(list) <= 8
	for _, one := range list {
		ok = ok && len(one) <= 20 && strings.Trim(one, "abcdefghijklmnopqrstuvwxyz-") == ""
	}
	v.Check(ok, "transports", "These are no transports of a passkey.")
	return v.Err()
}

// Add stores a passkey for the principal; address is the client's address. The session must have called AskNew within passkey.Life.
func (k *Passkeys) Add(ctx context.Context, p Principal, in NewPasskey, address string) error {
	name, err := cleanPasskeyName(in.Name)
	if err != nil {
		return err
	}
	if err := checkTransports(in.Made.Transports); err != nil {
		return err
	}
	challenge, err := useChallenge(ctx, k.accounts.db, p.Proof, "add", k.now())
	if err != nil {
		return err
	}
	key, err := k.site.Accept(ownerOf(p.StaffID, p.Email, p.Name), challenge, in.Made)
	if errors.Is(err, passkey.ErrRefused) {
		return errs.New(errs.KindMalformed, codePasskeyRefused, "This passkey cannot be used here. Try another device or browser.").Because(err)
	}
	if err != nil {
		return unavailable(err)
	}
	passkeyID, opener := id.New(), []byte(secret.Token())
	sealed, err := k.accounts.people.keys.Seal(secret.PurposePasskey, passkeyBinding(passkeyID), opener)
	if err != nil {
		return err
	}
	notice := k.notice()
	return postgres.InTx(ctx, k.accounts.db, func(tx *sqlx.Tx) error {
		outcome, err := addPasskeyTx(ctx, tx, passkeyID, name, key, sealed, secret.Hash(string(opener)), orNull(notice), address, k.now())
		if err != nil {
			return err
		}
		if err := passkeyOutcome(outcome); err != nil {
			return err
		}
		act := Action{
			Action: "add_passkey", Target: "staff:" + p.StaffID, Reason: "Added a passkey to the own account", After: JSON(map[string]any{"name": name}),
		}
		if err := k.accounts.people.RecordTx(ctx, tx, p, act); err != nil {
			return err
		}
		return k.tellTx(ctx, tx, notice)
	})
}

// Rename gives one of the principal's passkeys another name.
func (k *Passkeys) Rename(ctx context.Context, p Principal, passkeyID, name string) error {
	name, err := cleanPasskeyName(name)
	if err != nil {
		return err
	}
	if !id.Valid(passkeyID) {
		return errs.NotFound()
	}
	return postgres.InTx(ctx, k.accounts.db, func(tx *sqlx.Tx) error {
		before, err := textTx(ctx, tx, "rename passkey", renameKeySQL, passkeyID, name)
		if err != nil {
			return err
		}
		if before == "" {
			return errs.NotFound()
		}
		return k.accounts.people.RecordTx(ctx, tx, p, Action{
			Action: "rename_passkey", Target: "staff:" + p.StaffID, Reason: "Renamed an own passkey",
			Before: JSON(map[string]any{"name": before}), After: JSON(map[string]any{"name": name}),
		})
	})
}

// Remove removes one of the principal's passkeys and ends the other sessions; it needs the password. Without passkeys, the member signs
// in by password and authenticator.
func (k *Passkeys) Remove(ctx context.Context, p Principal, passkeyID, password string, v guard.Visitor) error {
	if err := checkCurrent(password); err != nil {
		return err
	}
	if !id.Valid(passkeyID) {
		return errs.NotFound()
	}
	notice := k.notice()
	return k.accounts.withPassword(ctx, p, password, v, func(hash string) error {
		return postgres.InTx(ctx, k.accounts.db, func(tx *sqlx.Tx) error {
			outcome, was, err := removePasskeyTx(ctx, tx, hash, passkeyID, orNull(notice), v.Address, k.now())
			if err != nil {
				return err
			}
			if err := passkeyOutcome(outcome); err != nil {
				return err
			}
			act := Action{
				Action: "remove_passkey", Target: "staff:" + p.StaffID, Reason: "Removed an own passkey", Before: JSON(map[string]any{"name": was}),
			}
			if err := k.accounts.people.RecordTx(ctx, tx, p, act); err != nil {
				return err
			}
			return k.tellTx(ctx, tx, notice)
		})
	})
}

// notice returns the id of a notice to the member, empty where the product sends no e-mail.
func (k *Passkeys) notice() string {
	if !k.accounts.email {
		return ""
	}
	return id.New()
}

func (k *Passkeys) tellTx(ctx context.Context, tx *sqlx.Tx, notice string) error {
	if notice == "" {
		return nil
	}
	_, err := k.accounts.jobs.InsertTx(ctx, tx, SendNoticeArgs{NoticeID: notice}, queue.Options{MaxAttempts: 20})
	return err
}
