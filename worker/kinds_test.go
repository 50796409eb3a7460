package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
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

// A job that waits during a roll-out was inserted by the previous release: the argument that names its message must not
// change.
func TestJobArgs_OfThePreviousRelease_StillNameTheMessage(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]message.RowArgs{
		`send_otp {"code_id":"7"}`:                    account.SendOTPArgs{CodeID: "7"},
		`send_support_message {"message_id":"7"}`:     message.SendStaffMessageArgs{MessageID: "7"},
		`send_customer_message {"message_id":"7"}`:    message.SendCustomerMessageArgs{MessageID: "7"},
		`send_contact_reply {"entry_id":"7"}`:         contact.SendReplyArgs{EntryID: "7"},
		`send_newsletter_link {"letter_id":"7"}`:      contact.SendNewsletterLinkArgs{LetterID: "7"},
		`send_staff_invitation {"invitation_id":"7"}`: staff.SendInvitationArgs{InvitationID: "7"},
		`send_staff_notice {"notice_id":"7"}`:         staff.SendNoticeArgs{NoticeID: "7"},
		`send_team_invitation {"invitation_id":"7"}`:  account.SendTeamInvitationArgs{InvitationID: "7"},
		`send_partner_message {"message_id":"7"}`:     outlet.SendPartnerMessageArgs{MessageID: "7"},
	} {
		args, err := json.Marshal(want)
		require.NoError(t, err)
		require.Equal(t, kind, want.Kind()+" "+string(args))
		require.Equal(t, "7", want.RowID(), kind)
	}
}
