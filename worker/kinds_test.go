package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Every kind of job must describe its effect to staff, before they rerun it.
func TestJobPreviews_EachKind_HasOne(t *testing.T) {
	t.Parallel()
	previews := app.JobPreviews()
	kinds := 0
	err := filepath.WalkDir("../pkg", func(path string, entry os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Name.Name != "Kind" || fn.Recv == nil || len(fn.Body.List) != 1 {
				continue
			}
			literal, ok := fn.Body.List[0].(*ast.ReturnStmt).Results[0].(*ast.BasicLit)
			if !ok {
				continue // a kind that is known only at run time, of another job
			}
			kind, err := strconv.Unquote(literal.Value)
			if err != nil {
				return err
			}
			kinds++
			require.Contains(t, previews, kind, "%s", path)
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, kinds, 15)
}

// Each kind names the outside service that it may call, so that an outage is attributed to the service, or is listed here.
func TestJobKind_ThatCallsAnOutsideService_NamesIt(t *testing.T) {
	t.Parallel()
	inside := strings.Fields(`apply_add_on_changes apply_catalogue change_jobs change_mobile count_figures dev_clock_tick erase_accounts expire_subscriptions
		keep_deliveries mail_documents perform_act prune_alerts prune_outcomes prune_webhooks purge_account_leftovers receive_contact_message receive_transfer
		recognise_revenue remind_renewals reverse_payment sweep_domains sweep_payments sweep_transfers tell_prices use_transfer verify_audit
		verify_books`)
	// Alerts leave by several services; each one's failures are those of the channel.
	several := []string{"deliver_alert"}
	var unnamed []string
	for kind := range app.JobPreviews() {
		listed := slices.Contains(inside, kind) || slices.Contains(several, kind)
		require.False(t, listed && alert.Dependency(kind) != "", "%s is listed and names %s", kind, alert.Dependency(kind))
		if !listed && alert.Dependency(kind) == "" {
			unnamed = append(unnamed, kind)
		}
	}
	require.Empty(t, unnamed, "name the dependency in pkg/alert/failing.go, or list the kind here")
}

// A job that waits during a roll-out was inserted by the previous release: the argument that names its message must not
// change.
func TestJobArgs_OfThePreviousRelease_StillNameTheMessage(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]message.RowArgs{
		`send_otp {"code_id":"7"}`:                    otp.SendOTPArgs{CodeID: "7"},
		`send_support_message {"message_id":"7"}`:     message.SendStaffMessageArgs{MessageID: "7"},
		`send_customer_message {"message_id":"7"}`:    message.SendCustomerMessageArgs{MessageID: "7"},
		`send_contact_reply {"entry_id":"7"}`:         contact.SendReplyArgs{EntryID: "7"},
		`send_newsletter_link {"letter_id":"7"}`:      contact.SendNewsletterLinkArgs{LetterID: "7"},
		`send_staff_invitation {"invitation_id":"7"}`: staff.SendInvitationArgs{InvitationID: "7"},
		`send_staff_notice {"notice_id":"7"}`:         staff.SendNoticeArgs{NoticeID: "7"},
		`send_team_invitation {"invitation_id":"7"}`:  team.SendArgs{InvitationID: "7"},
		`send_partner_message {"message_id":"7"}`:     outlet.SendPartnerMessageArgs{MessageID: "7"},
	} {
		args, err := json.Marshal(want)
		require.NoError(t, err)
		require.Equal(t, kind, want.Kind()+" "+string(args))
		require.Equal(t, "7", want.RowID(), kind)
	}
}
