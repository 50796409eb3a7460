package account

// Role is the role of a person in an account.
type Role string

// The roles in an account. The owner's is that of the person whose account it is.
const (
	RoleOwner Role = "owner"
	// RoleAccountant reads orders, payments and tax documents.
	RoleAccountant Role = "accountant"
	// RoleManager keeps the store's details and sees its domain; nothing of money.
	RoleManager Role = "manager"
)

// Membership is an account that a person may act in, with the role there.
type Membership struct {
	MemberID  string `db:"member_id"`
	AccountID string `db:"account_id"`
	Role      Role   `db:"role"`
	Name      string `db:"name"`
}
