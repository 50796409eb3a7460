package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
)

// userAnswer is the franchiser-user that the client keeps for display.
type userAnswer struct {
	ID              string           `json:"id"`
	Mobile          string           `json:"mobile"`
	Email           string           `json:"email"`
	FirstName       string           `json:"first_name"`
	LastName        string           `json:"last_name"`
	IsActive        bool             `json:"is_active"`
	HasStoreDetails bool             `json:"has_store_details"`
	StoreName       string           `json:"store_name"`
	FranchiserID    string           `json:"franchiser_id"`
	PaymentStatus   int              `json:"payment_status"`
	RedirectTo      account.Redirect `json:"redirect_to"`
	HasAddress      bool             `json:"has_address"`
	TOTPEnabled     bool             `json:"totp_enabled"`
	EraseOn         *string          `json:"erase_on"`
	// Role is the person's role in the session's account. AccountName is that account's name if it is another person's.
	Role        account.Role `json:"role"`
	AccountName *string      `json:"account_name"`
	// OtherAccounts is true where the client should offer a choice of accounts.
	OtherAccounts bool `json:"other_accounts"`
}

func signedIn(u account.User) gin.H {
	accountID, role, name, erases := u.ID, account.RoleOwner, (*string)(nil), eraseOn(u.Erasure())
	if u.Acting != nil {
		accountID, role, name, erases = u.Acting.AccountID, u.Acting.Role, &u.Acting.Name, nil
	}
	return gin.H{
		"redirect_to": u.Redirect(),
		"franchiser-user": userAnswer{
			ID: u.ID, Mobile: u.Mobile, Email: u.Email, FirstName: u.FirstName, LastName: u.LastName,
			IsActive: u.IsActive, HasStoreDetails: u.HasStoreDetails, StoreName: u.StoreName, FranchiserID: accountID,
			PaymentStatus: u.PaymentStatus, RedirectTo: u.Redirect(), HasAddress: u.HasAddress, TOTPEnabled: u.TOTPEnabled,
			EraseOn: erases, Role: role, AccountName: name, OtherAccounts: u.OtherAccounts,
		},
	}
}

// eraseOn returns the erasure date, or nil without an erasure.
func eraseOn(e *account.Erasure) *string {
	if e == nil {
		return nil
	}
	on := e.On.Format(time.DateOnly)
	return &on
}
