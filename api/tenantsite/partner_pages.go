package tenantsite

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// The paths of partners. Their sign-in does not open the owner's pages.
const (
	pathJoin          = "/join/"
	pathPartner       = "/partner"
	pathPartnerLogin  = "/partner/login"
	pathPartnerCode   = "/partner/code"
	pathPartnerLogout = "/partner/logout"
	pathPartnerOutlet = "/partner/outlets/"
	partnerSession    = "partner_session"

	// pathInvitation is at the product's own host, because an SMS names no other; it leads to the store's.
	pathInvitation = "/i/"
)

// invitation leads from the link in an SMS, at the product's host, to the store's own.
func (s *Site) invitation(r *request, code string) {
	err := s.limiter.Hit(r.ctx, s.linksOfAddress(), ratelimit.Address(r.c.ClientIP()))
	var franchiserID string
	if err == nil {
		franchiserID, err = s.partners.Invited(r.ctx, code)
	}
	var store *tenant.Store
	if err == nil {
		store, _, err = s.stores.Of(r.ctx, franchiserID)
	}
	var host *url.URL
	if err == nil && store != nil {
		host, err = url.Parse(store.DashboardURL)
	}
	switch {
	case kind(err) == errs.KindRateLimited:
		r.message(http.StatusTooManyRequests, r.say("Too many tries"), r.say("Please wait a few minutes and open the link again."))
	case kind(err) == errs.KindNotFound || err == nil && host == nil:
		r.message(http.StatusNotFound, r.say("This invitation is no longer valid"), r.say("Ask the store to send you another one."))
	case err != nil:
		r.failed(err)
	default:
		host.Path = pathJoin + code
		r.see(host.String())
	}
}

func (s *Site) linksOfAddress() ratelimit.Rule {
	return ratelimit.Rule{Name: "partner_links", Limit: s.options.Limits.Writes.Doors, Window: 5 * time.Minute}
}

// codesOfAddress limits the codes per address, in addition to the limit per mobile.
func (s *Site) codesOfAddress() ratelimit.Rule {
	return ratelimit.Rule{Name: "partner_codes", Limit: s.options.Limits.Writes.Doors / 5, Window: 5 * time.Minute}
}

// partnerGet serves the pages of partners; false for another path.
func (r *request) partnerGet(path string) bool {
	switch {
	case strings.HasPrefix(path, pathJoin):
		r.joinPage(strings.TrimPrefix(path, pathJoin))
	case path == pathPartnerLogin:
		r.partnerLogin(http.StatusOK, view{})
	case path == pathPartner:
		r.partnerHome()
	case strings.HasPrefix(path, pathPartnerOutlet):
		r.partnerOutletPage(strings.TrimPrefix(path, pathPartnerOutlet))
	default:
		return false
	}
	return true
}

// partnerPost handles the forms of partners; false for another path.
func (r *request) partnerPost(path string) bool {
	switch {
	case strings.HasPrefix(path, pathJoin):
		r.join(strings.TrimPrefix(path, pathJoin))
	case path == pathPartnerLogin:
		r.sendPartnerCode()
	case path == pathPartnerCode:
		r.partnerSignIn()
	case path == pathPartnerLogout:
		r.partnerSignOut()
	case strings.HasPrefix(path, pathPartnerOutlet):
		r.updatePartnerOutlet(strings.TrimPrefix(path, pathPartnerOutlet))
	default:
		return false
	}
	return true
}

func (r *request) joinPage(code string) {
	p, err := r.partners.Invitation(r.ctx, r.ref, code)
	if err != nil {
		r.refuseInvitation(err)
		return
	}
	r.render(http.StatusOK, "join", r.joinView(p, code))
}

func (r *request) joinView(p outlet.Partner, code string) view {
	return view{
		Title: r.titled(r.say("Invitation")), Heading: r.say("{1} invites you", r.store.StoreName), Partner: p,
		Form: outletForm{Action: pathJoin + code, Button: r.say("Accept invitation")},
	}
}

func (r *request) refuseInvitation(err error) {
	if kind(err) == errs.KindNotFound {
		r.message(http.StatusNotFound, r.say("This invitation is no longer valid"),
			r.say("It was accepted, withdrawn, replaced or has expired. Ask the store to send you another one. If you accepted it, sign in as a partner."))
		return
	}
	r.failed(err)
}

// join sends a code, or checks the typed one.
func (r *request) join(invitation string) {
	p, err := r.partners.Invitation(r.ctx, r.ref, invitation)
	if err != nil {
		r.refuseInvitation(err)
		return
	}
	v := r.joinView(p, invitation)
	if r.c.PostForm("otp") == "" {
		err := r.codeAllowed()
		if err == nil {
			err = r.partners.SendInviteCode(r.ctx, r.ref, invitation)
		}
		r.askCode(err, v, r.say("We sent a code of 6 digits to {1}.", p.MaskedMobile()))
		return
	}
	token, err := r.tryCode(p.Mobile, func(otp string) (string, error) { return r.partners.Accept(r.ctx, r.ref, invitation, otp) })
	r.letPartnerIn(token, err, v)
}

func (r *request) codeAllowed() error {
	return r.limiter.Hit(r.ctx, r.codesOfAddress(), ratelimit.Address(r.c.ClientIP()))
}

// askCode shows the form for the code; sent says where it went.
func (r *request) askCode(err error, v view, sent string) {
	switch kind(err) {
	case "":
		v.Text = sent
		v.Form.Fields = []field{r.codeField("")}
		r.render(http.StatusOK, "partner-code", v)
	case errs.KindRateLimited:
		r.refuse(err, "message", view{Title: r.say("Too many tries"), Heading: r.say("Too many tries"), Text: r.say("Please wait a few minutes and try again.")})
	case errs.KindNotFound:
		r.refuseInvitation(err)
	default:
		r.failed(err)
	}
}

func (r *request) codeField(problem string) field {
	return field{Name: "otp", Label: r.say("Code"), Mode: "numeric", Auto: "one-time-code", Max: 300, Required: true, Error: problem}
}

// tryCode judges a code within the limits that hold for every secret that can be guessed.
func (r *request) tryCode(mobile string, judge func(otp string) (string, error)) (token string, err error) {
	subject := r.ref.TenantID + " partner " + mobile
	visitor := guard.Visitor{Address: r.c.ClientIP(), Device: guard.ReadDevice(r.options.Keys, r.read(r.named(deviceName)))}
	err = r.guardian.Try(r.ctx, r.options.Limits.Store, guard.KindStore, subject, visitor, func() (err error) {
		token, err = judge(text.Code(r.c.PostForm("otp")))
		return err
	})
	return token, err
}

func (r *request) letPartnerIn(token string, err error, v view) {
	switch kind(err) {
	case "":
		r.set(r.named(partnerSession), token, int(tenant.SessionLife.Seconds()))
		if next := r.next(partnersDoor()); !r.resumePartner(next, token) {
			r.see(cmp.Or(next, pathPartner))
		}
	case errs.KindUnauthenticated:
		v.Problem = r.again(errs.As(err).Message)
		v.Form.Fields = []field{r.codeField(v.Problem)}
		r.render(http.StatusUnauthorized, "partner-code", v)
	default:
		r.askCode(err, v, "")
	}
}

// partnerLogin shows the form for a partner's mobile number, with the page and values of an interrupted session.
func (r *request) partnerLogin(status int, v view) {
	v.Title = r.titled(r.say("Partner sign-in"))
	v.Kept = r.keep(r.next(partnersDoor()), keptPrefix)
	r.render(status, partnersDoor().page, v)
}

func (r *request) loginView(mobile string) view {
	return view{
		Title: r.titled(r.say("Partner sign-in")), Heading: r.say("Enter your code"), Username: text.Mobile(mobile),
		Kept: r.keep(r.next(partnersDoor()), keptPrefix),
		Form: outletForm{Action: pathPartnerCode, Back: pathPartnerLogin, Button: r.say("Sign in")},
	}
}

func (r *request) sendPartnerCode() {
	mobile := r.c.PostForm("mobile")
	if !outlet.IsMobile(mobile) {
		r.partnerLogin(http.StatusUnprocessableEntity, view{Username: mobile, Problem: r.say("Please enter a mobile number of 10 digits")})
		return
	}
	err := r.codeAllowed()
	if err == nil {
		err = r.partners.SendCode(r.ctx, r.ref, mobile)
	}
	r.askCode(err, r.loginView(mobile), r.say("If this number is a partner’s, a code of 6 digits is on its way to it."))
}

func (r *request) partnerSignIn() {
	mobile := r.c.PostForm("mobile")
	token, err := r.tryCode(text.Mobile(mobile), func(otp string) (string, error) { return r.partners.SignIn(r.ctx, r.ref, mobile, otp) })
	r.letPartnerIn(token, err, r.loginView(mobile))
}

func (r *request) partnerSignOut() {
	if token := r.read(r.named(partnerSession)); token != "" {
		if err := r.partners.SignOut(r.ctx, r.ref, token); err != nil {
			r.failed(err)
			return
		}
	}
	r.set(r.named(partnerSession), "", -1)
	r.see(pathPartnerLogin)
}

// enterPartner returns the partner who is signed in; it answers everybody else, and returns nil.
func (r *request) enterPartner() *outlet.Partner {
	p, err := r.partners.SignedIn(r.ctx, r.ref, r.read(r.named(partnerSession)))
	if err != nil {
		r.failed(err)
		return nil
	}
	if p == nil {
		r.askSignIn(partnersDoor())
	}
	return p
}

func (r *request) partnerHome() {
	p := r.enterPartner()
	if p == nil {
		return
	}
	q := outlet.Query{PartnerID: p.ID, Sort: outlet.SortName, After: r.c.Query("after")}.Normalise()
	page, err := r.outlets.List(r.ctx, r.ref, q)
	if err != nil {
		r.failed(err)
		return
	}
	r.render(http.StatusOK, "partner", view{
		Title: r.titled(r.say("Your outlets")), PartnerIn: true, Partner: *p,
		Page: outletPage{Page: page, Query: q, Later: q.After != "", base: pathPartner},
	})
}

func (r *request) partnerOutletPage(outletID string) {
	p := r.enterPartner()
	if p == nil {
		return
	}
	o, err := r.outlets.FindFor(r.ctx, r.ref, p.ID, outletID)
	if err != nil {
		r.refusePartner(err)
		return
	}
	v := view{}
	if r.c.Query("done") != "" {
		v.Done = r.say("Phone and hours were saved.")
	}
	r.showPartnerOutlet(http.StatusOK, v, *p, o, outlet.InputOf(o), nil)
}

func (r *request) refusePartner(err error) {
	if kind(err) == errs.KindNotFound {
		r.message(http.StatusNotFound, r.say("This outlet is not there"), r.say("It may no longer be assigned to you."))
		return
	}
	r.failed(err)
}

func (r *request) showPartnerOutlet(status int, v view, p outlet.Partner, o outlet.Outlet, in outlet.Input, wrong *errs.Error) {
	v.Title, v.PartnerIn, v.Partner, v.Outlet = o.Name+" – "+r.store.StoreName, true, p, o
	v.Form = outletForm{Action: pathPartnerOutlet + o.ID, Back: pathPartner, Button: r.say("Save"), Revision: o.Revision, Fields: []field{
		{Name: "phone", Label: r.say("Phone"), Hint: r.say("A mobile, or a landline with its STD code"), Value: in.Phone, Type: "tel", Mode: "tel", Max: 20},
		{Name: "hours", Label: r.say("Opening hours"), Hint: r.say("For example Mon–Sat 9:00–21:00"), Value: in.Hours, Max: 100},
	}}
	r.mark(&v, wrong)
	r.render(status, "partner-outlet", v)
}

func (r *request) updatePartnerOutlet(outletID string) {
	p := r.enterPartner()
	if p == nil {
		return
	}
	if err := r.limiter.Hit(r.ctx, r.writesOfStore(), r.ref.TenantID+" "+p.ID); err != nil {
		r.refuse(err, "message", view{Title: r.say("Too many changes"), Heading: r.say("Too many changes"), Text: r.say("Please wait a few minutes and try again.")})
		return
	}
	revision := number(r.c.PostForm("revision"))
	in := inputOf(r.c.PostForm)
	_, err := r.outlets.UpdateContact(r.ctx, r.ref, p.ID, outletID, revision, in.Phone, in.Hours)
	if err == nil {
		r.see(pathPartnerOutlet + outletID + "?done=saved")
		return
	}
	if kind(err) == errs.KindUnauthenticated {
		r.askSignIn(partnersDoor())
		return
	}
	if kind(err) == errs.KindForbidden {
		r.message(http.StatusForbidden, r.say("You can only look"), r.say("Ask the store to make you a manager."))
		return
	}
	status, ok := refusalStatus(err)
	if !ok {
		r.refusePartner(err)
		return
	}
	o, findErr := r.outlets.FindFor(r.ctx, r.ref, p.ID, outletID)
	if findErr != nil {
		r.refusePartner(findErr)
		return
	}
	r.showPartnerOutlet(status, view{}, *p, o, in, errs.As(err))
}

// invitationCode returns the code of an invitation's link; false for another path.
func invitationCode(path string) (string, bool) {
	code, ok := strings.CutPrefix(path, pathInvitation)
	return code, ok && code != "" && !strings.Contains(code, "/") && !id.Valid(code)
}
