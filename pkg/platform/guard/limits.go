package guard

import "time"

// Limits holds the limits on everything that can be guessed or triggered. Default is the only table of them.
type Limits struct {
	Login, LoginCode, Staff, StaffCode, Store Door
	Sends                                     Sends
	Own                                       Own
	Writes                                    Writes
	Forms                                     Forms
	// Searches is how many place searches one session may make per minute.
	Searches int64
	// StaffReads is how often one member of staff may search, or view data that identifies customers, per 5 minutes.
	StaffReads int64
	// Keys limits the calls of connected systems.
	Keys Keys
}

// Keys is how often one API key may call per minute, and how many wrong ones may come from one address per 5 minutes.
type Keys struct{ Calls, Wrong int64 }

// Door is an endpoint where a secret can be guessed. Only guesses judged wrong count: right ones, and those not judged
// because of a fault on our side, are taken back.
type Door struct {
	// Name separates the counters and challenges of different doors.
	Name string
	// Known is how many wrong guesses a browser that has signed in to the account before gets per 15 minutes, and
	// KnownInAll how many all such browsers share per day. Beyond them a known browser is treated as unknown.
	Known, KnownInAll int64
	// Free is how many wrong guesses all unknown browsers share for one account per day. Beyond it, guesses are limited to
	// one per 15 seconds, then per 30, up to 15 minutes, or need work.
	Free int64
	// Address is how many wrong guesses one address gets per 15 minutes, for all accounts. Beyond it, guesses need work.
	Address int64
	// Worked is how many wrong guesses with work one address gets for one account per day. Beyond it, they are refused.
	Worked int64
	// InAll, unless 0, is how many wrong guesses unknown browsers share for one account per day, with or without work.
	InAll int64
	// Reserve is how many wrong guesses one address gets for one account per day at a door without work, regardless of
	// other addresses, until all addresses together have reached ReserveInAll for the account.
	Reserve, ReserveInAll int64
	// NoWork means that the door's pages run no script and so cannot require work.
	NoWork bool
}

// Sends limits the SMS sent per day, in Indian time.
type Sends struct {
	// Known is the limit for a browser that has signed in to the account before, and for a signed-in user.
	Known int
	// PerMobile is how many all unknown browsers share without work, and PerMobileHour how many more per hour with work.
	PerMobile, PerMobileHour int
	// Again is how often the browser that started may resend its code, with work, beyond PerMobileHour.
	Again int
	// PerAddress and InAll are how many may be requested without work. Beyond InAll the work grows with the total, up to PerDay.
	PerAddress, InAll int
	// PerDay is how many unknown browsers may request in all, with or without work. Beyond it, only accounts with a plan get more.
	PerDay int
	// PerPrefix is the same for the mobiles that begin with the same four digits, which belong to one operator. Beyond its half, each
	// needs work.
	PerPrefix int
	// Proofs is how many links to prove an e-mail address an account may have sent, and ProofsTo how many one address is
	// sent for all accounts.
	Proofs, ProofsTo int
}

// Own limits the attempts of signed-in users and of browsers waiting for a code.
type Own struct {
	// Session is how many wrong passwords or authenticator codes a session gets per 15 minutes.
	Session int64
	// Stray is how many one-time codes an address may try per 15 minutes from browsers that have not requested a code.
	Stray int64
}

// Writes limits write requests per 5 minutes.
type Writes struct {
	// Beyond Franchiser and Address, requests are refused; Gateway applies to the routes to which gateways post.
	Franchiser, Address, Gateway int64
	// Doors is how often an address may call endpoints that need no session yet; beyond it each call needs work. Browsers
	// that have signed in before each get Device instead.
	Doors, Device int64
	// Store limits how often one store's page may be edited.
	Store int64
}

// Forms limits how often one address, or one person who is signed in, may submit each public form per hour. Submissions that fail validation do not count.
type Forms struct {
	Newsletter, Withdrawals, Contact int64
	// Letters is how many links of each kind about the newsletter can be requested per day, in all.
	Letters int64
}

// Default returns the limits of a live system. For each: its purpose, and who else it affects.
//
//	limit                        | purpose, and who else it affects
//	-----------------------------+------------------------------------------------------------------------------------
//	Login.Known 10/15 min        | Guessing on a borrowed or stolen computer. The owner, after ten typos, does work as on
//	                             | a new device.
//	Login.KnownInAll 100/day     | Cookies collected by someone who once had the password. The owner then does work.
//	Login.Free 10/day            | Guessing from many addresses. The owner waits or does work on a new device, but not on
//	                             | a known one.
//	Login.Address 50/15 min      | One password tried on many accounts. Mobile operators put thousands of users behind one
//	                             | address: those on new devices then do work.
//	Login.Worked 20/day          | Buying guesses with computing power. Affects only users who share the guesser's
//	                             | address, are on a new device, and want the same account.
//	LoginCode.InAll 100/day      | A code has only six digits, so work alone does not protect it. Needs the password first;
//	                             | the owner on a new device resets the password, which restarts the count.
//	Staff.*                      | As Login, but tighter: staff are few. Nobody who does the work is refused.
//	StaffCode.InAll 100/day      | As LoginCode. Staff on known devices still get in; a new password (seed staff)
//	                             | restarts the count.
//	Store.Free 20/day            | As Login. A store's page runs no script, so there is no work: beyond it unknown browsers
//	                             | wait, or use their address's reserve.
//	Store.Reserve 3/day          | Lets the owner in on a new device when others have used up the rest. Users who share the
//	                             | guesser's address wait. ReserveInAll 2000/day limits guessing from very many
//	                             | addresses; beyond it new devices wait and known ones don't.
//	Store.Address 60/15 min      | One address guessing at many stores. Its neighbours on new devices wait.
//	Sends.Known 10/day           | A runaway client. Beyond it the browser is treated as unknown.
//	Sends.PerMobile 10/day       | Strangers triggering SMS to a number. Beyond it they do work, harder each time.
//	Sends.PerMobileHour 1/hour   | The upper bound: with Again, strangers can send a phone at most 10 + 24 × 2 = 58 SMS a
//	                             | day, 48 of which cost work. So few that the harassment is limited, and what a stranger
//	                             | uses up is back the next hour, not at midnight. Blocks the owner for up to an hour, on
//	                             | a new device only; staff can lift it.
//	Sends.Again 1                | Lets the code of a sign-up or reset in progress be resent regardless.
//	Sends.PerAddress 100/day     | SMS pumping from one address. Neighbours on new devices do work.
//	Sends.InAll 50000/day        | SMS pumping from very many addresses. Everyone on a new device does work.
//	Sends.PerDay 100000/day      | The cost of SMS pumping from any number of addresses, at SMS_PER_DAY. From Sends.InAll, its
//	                             | half, the work grows with the total, for fresh addresses too. Nobody signs up until
//	                             | midnight; known browsers and accounts with a plan still get codes.
//	Sends.PerPrefix 5000/day     | SMS pumping to numbers of one operator, which shares in the price. Sign-ups with these
//	                             | numbers wait until midnight, as above.
//	Sends.Proofs 5/day           | An account that has links sent to other people's addresses. Its owner waits for the next
//	                             | day; changes of the address still work.
//	Sends.ProofsTo 10/day        | Many accounts that have links sent to one address. Whoever really has that address
//	                             | waits for the next day.
//	Own.Session 10/15 min        | Guessing the password in an unattended session. Other sessions are not affected.
//	Own.Stray 50/15 min          | Guessing codes without having requested one. Nobody else: a browser that requested a
//	                             | code has five attempts of its own.
//	Writes.Address 300/5 min     | Floods of forms that need no session (contact, newsletter), and of challenges of passkeys.
//	                             | Blocks neighbours for 5 minutes, staff among them sign in by password; calls that precede
//	                             | a session count under Doors instead.
//	Writes.Doors 300/5 min       | Floods at the doors. Neighbours on new devices do work.
//	Writes.Device 300/5 min      | The same for a known device. Beyond it the device counts with its address.
//	Writes.Franchiser 1500/5 min | A runaway client. Blocks that customer for 5 minutes.
//	Writes.Gateway 30000/5 min   | A flood of forged notifications. A gateway that is blocked retries.
//	Writes.Store 300/5 min       | A runaway client. Blocks that store's page for 5 minutes.
//	Forms.Newsletter 10/hour     | Scripted sign-ups of other people. Neighbours who subscribe wait for up to an hour.
//	Forms.Withdrawals 10/hour    | The same for withdrawals; separate, so that sign-ups never delay an unsubscription.
//	Forms.Letters 2000/day       | E-mails to strangers, from very many addresses. Beyond it nobody subscribes, or asks for the
//	                             | link to leave, until the next day; the link in each issue still works.
//	Forms.Contact 5/hour         | Flooding staff's inbox. Neighbours who write wait for up to an hour, but for
//	                             | those who are signed in, who have as many of their own.
//	Searches 60/min              | A runaway client; place providers charge per search. Users type, and the client waits a
//	                             | second between searches. Blocks that session for a minute.
//	Keys.Calls 600/min           | A runaway system. Blocks that key for a minute.
//	Keys.Wrong 60/5 min          | Noise: a key cannot be guessed. Blocks only wrong keys from that address.
//	StaffReads 600/5 min         | Bulk reading of customer data. Two a second is more than anyone reads; several open
//	                             | pages that follow a customer stay far below. Blocks that member of staff for 5 minutes.
func Default() Limits {
	return Limits{
		Login:     Door{Name: "login", Known: 10, KnownInAll: 100, Free: 10, Address: 50, Worked: 20},
		LoginCode: Door{Name: "totp", Known: 10, KnownInAll: 100, Free: 10, Address: 50, Worked: 20, InAll: 100},
		Staff:     Door{Name: "staff", Known: 10, KnownInAll: 100, Free: 10, Address: 30, Worked: 20},
		StaffCode: Door{Name: "staff-code", InAll: 100},
		Store: Door{
			Name: "store", Known: 20, KnownInAll: 100, Free: 20, Address: 60, Reserve: 3, ReserveInAll: 2000, NoWork: true,
		},
		Sends:      Sends{Known: 10, PerMobile: 10, PerMobileHour: 1, Again: 1, PerAddress: 100, Proofs: 5, ProofsTo: 10}.upTo(DefaultSMSPerDay),
		Own:        Own{Session: 10, Stray: 50},
		StaffReads: 600,
		Writes:     Writes{Franchiser: 1500, Address: 300, Gateway: 30_000, Doors: 300, Device: 300, Store: 300},
		Forms:      Forms{Newsletter: 10, Withdrawals: 10, Contact: 5, Letters: 2000},
		Searches:   60,
		Keys:       Keys{Calls: 600, Wrong: 60},
	}
}

// DefaultSMSPerDay is how many SMS unknown browsers may request in a day unless SMS_PER_DAY says otherwise.
const DefaultSMSPerDay = 100_000

// prefixShare is the part of a day's SMS that mobiles with the same first digits may have, and leastPerPrefix its least number.
const prefixShare, leastPerPrefix = 20, 50

func (s Sends) upTo(perDay int) Sends {
	s.PerDay, s.InAll, s.PerPrefix = perDay, perDay/2, max(perDay/prefixShare, leastPerPrefix)
	return s
}

// WithSMSPerDay returns the limits with another number of SMS per day.
func (l Limits) WithSMSPerDay(n int) Limits {
	l.Sends = l.Sends.upTo(n)
	return l
}

// developmentFactor relaxes the limits per address in development, where one machine plays every customer.
const developmentFactor = 1000

// ForDevelopment returns the limits with all limits per address greatly relaxed.
func (l Limits) ForDevelopment() Limits {
	for _, n := range []*int64{
		&l.Login.Address, &l.Login.Worked, &l.LoginCode.Address, &l.LoginCode.Worked, &l.Staff.Address, &l.Staff.Worked,
		&l.Store.Address, &l.Own.Stray,
		&l.Writes.Franchiser, &l.Writes.Address, &l.Writes.Gateway, &l.Writes.Doors, &l.Writes.Device,
		&l.Forms.Newsletter, &l.Forms.Withdrawals, &l.Forms.Contact, &l.Keys.Wrong,
	} {
		*n *= developmentFactor
	}
	l.Sends.PerAddress *= developmentFactor
	l.Sends.PerPrefix *= developmentFactor
	return l
}

const (
	shortWindow = 15 * time.Minute
	day         = 24 * time.Hour
	firstWait   = 15 * time.Second
	longestWait = 15 * time.Minute
)

// wait returns the waiting time for a guess without work, by how far the free limit is exceeded.
func wait(over int64) time.Duration {
	w := firstWait
	for range over - 1 {
		if w *= 2; w >= longestWait {
			return longestWait
		}
	}
	return w
}
