package tenantsite

import (
	"net/http"
	"strings"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

const (
	pathPartners   = "/dashboard/partners"
	pathNewPartner = "/dashboard/partners/new"
	sectionPeople  = "partners"

	actionResend = "resend"
	actionRemove = "remove"
)

// partnerPath reads /dashboard/partners/{id}/{action}.
func partnerPath(path string) (partnerID, action string, ok bool) {
	rest, ok := strings.CutPrefix(path, pathPartners+"/")
	if !ok {
		return "", "", false
	}
	partnerID, action, _ = strings.Cut(rest, "/")
	return partnerID, action, id.Valid(partnerID) && (action == actionResend || action == actionRemove)
}

// partnerRow is a partner as the owner's list shows them.
type partnerRow struct {
	outlet.Partner
	Since string
	// Later means that the invitation waits for another day.
	Later bool
	// Proof asks for the store's password before another invitation; Asked opens it.
	Proof field
	Asked bool
}

// Waiting reports whether the invitation is still open.
func (p partnerRow) Waiting() bool { return p.State == outlet.PartnerInvited }

func (r *request) partnersPage() {
	if !r.enter() {
		return
	}
	v := view{}
	switch r.c.Query("done") {
	case "invited":
		v.Done = r.say("The invitation is on its way by SMS.")
	case actionResend:
		v.Done = r.say("Another invitation is on its way by SMS.")
	case actionRemove:
		v.Done = r.say("The partner was removed and is signed out.")
	}
	r.showPartners(http.StatusOK, v)
}

func (r *request) showPartners(status int, v view) {
	list, err := r.partners.List(r.ctx, r.ref)
	if err != nil {
		r.failed(err)
		return
	}
	v.Title, v.SignedIn, v.Section = r.titled(r.say("Partners")), true, sectionPeople
	for _, p := range list {
		row := partnerRow{Partner: p, Proof: r.passwordField(), Asked: p.ID == v.ProveFor, Since: r.say("Invited on {1}", r.in.Day(p.InvitedAt)), Later: p.InvitedAt.After(r.options.Clock.Now())}
		if row.Later {
			row.Since = r.say("The invitation goes out on {1}", r.in.Day(p.InvitedAt))
		}
		if p.AcceptedAt != nil {
			row.Since = r.say("Since {1}", r.in.Day(*p.AcceptedAt))
		}
		v.Partners = append(v.Partners, row)
	}
	r.render(status, "partners", v)
}

func (r *request) newPartnerPage() {
	if r.enter() {
		r.newPartner(http.StatusOK, outlet.PartnerInput{Role: outlet.RoleManager}, nil)
	}
}

func (r *request) newPartner(status int, in outlet.PartnerInput, wrong *errs.Error) {
	v := view{
		Title: r.titled(r.say("Invite a partner")), SignedIn: true, Section: sectionPeople, Heading: r.say("Invite a partner"),
		Text: r.say("They get an SMS with a link that is valid for 7 days, and accept with a code sent to the same number."),
		Form: outletForm{Action: pathPartners, Back: pathPartners, Button: r.say("Send invitation"), Fields: []field{
			{Name: "name", Label: r.say("Name"), Value: in.Name, Max: 50, Required: true},
			{Name: "mobile", Label: r.say("Mobile number"), Hint: r.say("10 digits"), Value: in.Mobile, Type: "tel", Mode: "tel", Max: 40, Required: true},
			{Name: "role", Label: r.say("Role"), Value: string(in.Role), Hint: r.say("Both see only the outlets that you assign to them."), Choices: []choice{
				{string(outlet.RoleManager), r.say("Manager: phone and hours")}, {string(outlet.RoleViewer), r.say("Viewer: looks only")},
			}},
			r.passwordField(),
		}},
	}
	r.mark(&v, wrong)
	r.render(status, "outlet-form", v)
}

func (r *request) invitePartner() {
	if !r.mayWrite() {
		return
	}
	in := outlet.PartnerInput{Name: r.c.PostForm("name"), Mobile: r.c.PostForm("mobile"), Role: outlet.Role(r.c.PostForm("role"))}
	err := r.prove()
	if err == nil {
		_, err = r.partners.Invite(r.ctx, r.ref, in)
	}
	if err == nil {
		r.see(pathPartners + "?done=invited")
		return
	}
	if limited, ok := tooManyGuesses(err); ok {
		r.newPartner(http.StatusTooManyRequests, in, limited)
		return
	}
	switch status, ok := refusalStatus(err); {
	case ok:
		r.newPartner(status, in, errs.As(err))
	case errs.KindOf(err) == errs.KindRateLimited:
		r.newPartner(http.StatusTooManyRequests, in, errs.New(errs.KindRateLimited, "too_many_requests",
			i18n.Mark("You have invited as many partners as a store can in a day. Please continue tomorrow.")))
	default:
		r.failed(err)
	}
}

func (r *request) changePartner(partnerID, action string) {
	if !r.mayWrite() {
		return
	}
	do := r.partners.Remove
	if action == actionResend {
		if err := r.prove(); err != nil {
			r.refuseResend(partnerID, err)
			return
		}
		do = r.partners.Resend
	}
	err := do(r.ctx, r.ref, partnerID)
	switch kind(err) {
	case "":
		r.see(pathPartners + "?done=" + action)
	case errs.KindNotFound:
		r.showPartners(http.StatusNotFound, view{Problem: r.say("This partner is no longer in the list.")})
	case errs.KindConflict:
		r.showPartners(http.StatusConflict, view{Problem: r.again(errs.As(err).Message)})
	case errs.KindRateLimited:
		r.showPartners(http.StatusTooManyRequests, view{
			Problem: r.say("An invitation was sent just now, or five times today. Please wait for {1}.", waitText(r.in, errs.As(err).RetryAfter)),
		})
	default:
		r.failed(err)
	}
}

// refuseResend shows the partners with the field of the password open.
func (r *request) refuseResend(partnerID string, err error) {
	v := view{ProveFor: partnerID}
	if limited, ok := tooManyGuesses(err); ok {
		v.Problem = limited.Message
		r.showPartners(http.StatusTooManyRequests, v)
		return
	}
	status, ok := refusalStatus(err)
	if !ok {
		r.failed(err)
		return
	}
	v.Problem = r.again(errs.As(err).Message)
	r.showPartners(status, v)
}

// kind returns the kind of an error, empty without one.
func kind(err error) errs.Kind {
	if err == nil {
		return ""
	}
	return errs.KindOf(err)
}
