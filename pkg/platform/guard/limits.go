package guard

import "time"

// Limits are how often everything that can be guessed or sent may be tried. Default is the one table of them.
type Limits struct {
	Login, LoginCode, Staff, StaffCode, Store Door
	Sends                                     Sends
	Own                                       Own
	Writes                                    Writes
	Forms                                     Forms
	// Searches is how often one session may search for places within a minute.
	Searches int64
	// StaffReads is how often one member of staff may search, or look at what names customers, within 5 minutes.
	StaffReads int64
}

// Door is a place where a secret is guessed. Only guesses that were judged wrong count: right ones, and those that a fault of
// ours kept from being judged, are taken back.
type Door struct {
	// Name keeps the counts and the challenges of doors apart.
	Name string
	// Known is how many wrong guesses a browser that signed in to the account before has in 15 minutes, and KnownInAll how
	// many such browsers have together in a day. Beyond them a known browser is treated as an unknown one.
	Known, KnownInAll int64
	// Free is how many wrong guesses all unknown browsers together have at one account in a day. Beyond it guesses take turns,
	// one in 15 seconds, then in 30, at last in 15 minutes, or want work.
	Free int64
	// Address is how many wrong guesses one address has in 15 minutes, whatever the account. Beyond it guesses want work.
	Address int64
	// Worked is how many wrong guesses with work one address has at one account in a day. Beyond it they are refused.
	Worked int64
	// InAll, where it is not 0, is how many wrong guesses unknown browsers have at one account in a day, work or not.
	InAll int64
	// Reserve is how many wrong guesses one address has at one account in a day where a door takes no work, whatever others
	// did, until all of the account have reached ReserveInAll.
	Reserve, ReserveInAll int64
	// NoWork says that the door's pages run no script and therefore ask for none.
	NoWork bool
}

// Sends are the SMS of one day in India.
type Sends struct {
	// Known is how many a browser that signed in to the account before, or somebody signed in, may ask for.
	Known int
	// PerMobile is how many all unknown browsers may ask for without work, and PerMobileHour how many with it in each hour
	// beyond those.
	PerMobile, PerMobileHour int
	// Again is how often the browser that began may have its code sent again, with work, beyond PerMobileHour.
	Again int
	// PerAddress and InAll are how many may be asked for without work.
	PerAddress, InAll int
}

// Own are the tries of somebody who is signed in, and of a browser with a code on its way.
type Own struct {
	// Session is how many wrong passwords or authenticator's codes a session has in 15 minutes.
	Session int64
	// Stray is how many one-time codes an address may try in 15 minutes for browsers that asked for none.
	Stray int64
}

// Writes are how often things may be changed within 5 minutes.
type Writes struct {
	// Franchiser and Address stop what is beyond them; Gateway holds for the routes to which gateways post.
	Franchiser, Address, Gateway int64
	// Doors is how often an address may call what comes before a session; beyond it each call wants work. Browsers that
	// signed in before have Device each instead.
	Doors, Device int64
	// Store is how often one store's page may be changed from inside.
	Store int64
}

// Forms are how often one address may send each of the public pages' forms in an hour. What is refused as filled in wrongly does
// not count.
type Forms struct{ Newsletter, Withdrawals, Contact int64 }

// Default returns the limits of a live system. For each: what it is for, and whom else it stops.
//
//	limit                        | what it is for, and whom else it stops
//	-----------------------------+------------------------------------------------------------------------------------
//	Login.Known 10/15 min        | Guessing at a borrowed or stolen computer. Its owner, who mistyped ten times, does
//	                             | work as on a new device.
//	Login.KnownInAll 100/day     | Who once had the password may have collected cookies. The owner then does work.
//	Login.Free 10/day            | Guessing from many addresses. The owner on a new device then waits or does work; nobody
//	                             | on a known one.
//	Login.Address 50/15 min      | One password tried on many accounts. Mobile operators put thousands behind one address:
//	                             | those on new devices then do work.
//	Login.Worked 20/day          | Buying guesses by computing alone. Stops only who shares the guesser's address, is on a
//	                             | new device, and wants the same account.
//	LoginCode.InAll 100/day      | A code has six digits, so work alone is no bound. Only who has the password comes here; the
//	                             | owner on a new device resets the password, which begins a new count.
//	Staff.*                      | As Login, but narrower: staff are few. Nobody is refused who does the work.
//	StaffCode.InAll 100/day      | As LoginCode. Staff on their own devices still get in; a new password (seed staff)
//	                             | begins a new count.
//	Store.Free 20/day            | As Login. A store's page runs no script, so there is no work: beyond it unknown browsers
//	                             | wait, or use the reserve of their address.
//	Store.Reserve 3/day          | The owner on a new device gets in although others use up the rest. Who shares the
//	                             | guesser's address waits. ReserveInAll 2000/day bounds guessing from very many
//	                             | addresses; beyond it new devices wait and known ones don't.
//	Store.Address 60/15 min      | One address guessing at many stores. Its neighbours on new devices wait.
//	Sends.Known 10/day           | A runaway client. Beyond it the browser is treated as unknown.
//	Sends.PerMobile 10/day       | Strangers who have SMS sent to a number. Beyond it they do work, each piece larger.
//	Sends.PerMobileHour 1/hour   | The bound of it: with Again a phone gets 10 + 24 × 2 = 58 SMS a day from strangers at
//	                             | most, of which 48 cost work. So little that nobody is pestered for long, and what a
//	                             | stranger uses up comes back with the next hour, not at midnight. Stops the owner for
//	                             | up to an hour, on a new device alone; staff can lift it.
//	Sends.Again 1                | So that the code of a sign-up or reset that began can be sent again all the same.
//	Sends.PerAddress 100/day     | SMS pumping from one address. Neighbours on new devices do work.
//	Sends.InAll 50000/day        | SMS pumping from very many addresses. Everybody on a new device does work.
//	Own.Session 10/15 min        | Who sits at an open session and guesses the password. Other sessions are not stopped.
//	Own.Stray 50/15 min          | Guessing codes without having asked for any. Nobody else: a browser that asked for a
//	                             | code has five tries of its own.
//	Writes.Address 300/5 min     | Floods of forms that need no session (contact, newsletter). Stops neighbours for 5
//	                             | minutes; what comes before a session counts under Doors instead.
//	Writes.Doors 300/5 min       | Floods at the doors. Neighbours on new devices do work.
//	Writes.Device 300/5 min      | The same of a known device. Beyond it the device counts with its address.
//	Writes.Franchiser 1500/5 min | A runaway client. Stops that customer for 5 minutes.
//	Writes.Gateway 30000/5 min   | A flood of forged notices. A gateway that is stopped tries again.
//	Writes.Store 300/5 min       | A runaway client. Stops that store's page for 5 minutes.
//	Forms.Newsletter 10/hour     | Signing others up by a script. Neighbours who subscribe wait for up to an hour.
//	Forms.Withdrawals 10/hour    | The same for withdrawals, apart, so that nobody's sign-ups hold up who wants to leave.
//	Forms.Contact 5/hour         | Filling staff's inbox. Neighbours who write wait for up to an hour.
//	Searches 60/min              | A runaway client; a provider of places charges for each. People type, and the client
//	                             | waits a second between two of them. Stops that session for a minute.
//	StaffReads 600/5 min         | Reading customers in bulk. Two a second are more than anybody reads; several open pages
//	                             | that follow a customer stay far below. Stops that member of staff for 5 minutes.
func Default() Limits {
	return Limits{
		Login:     Door{Name: "login", Known: 10, KnownInAll: 100, Free: 10, Address: 50, Worked: 20},
		LoginCode: Door{Name: "totp", Known: 10, KnownInAll: 100, Free: 10, Address: 50, Worked: 20, InAll: 100},
		Staff:     Door{Name: "staff", Known: 10, KnownInAll: 100, Free: 10, Address: 30, Worked: 20},
		StaffCode: Door{Name: "staff-code", InAll: 100},
		Store: Door{
			Name: "store", Known: 20, KnownInAll: 100, Free: 20, Address: 60, Reserve: 3, ReserveInAll: 2000, NoWork: true,
		},
		Sends:      Sends{Known: 10, PerMobile: 10, PerMobileHour: 1, Again: 1, PerAddress: 100, InAll: 50_000},
		Own:        Own{Session: 10, Stray: 50},
		StaffReads: 600,
		Writes:     Writes{Franchiser: 1500, Address: 300, Gateway: 30_000, Doors: 300, Device: 300, Store: 300},
		Forms:      Forms{Newsletter: 10, Withdrawals: 10, Contact: 5},
		Searches:   60,
	}
}

// developmentFactor widens what is counted by address in development, where one machine plays every customer.
const developmentFactor = 1000

// ForDevelopment returns the limits with everything that is counted by address far wider.
func (l Limits) ForDevelopment() Limits {
	for _, n := range []*int64{
		&l.Login.Address, &l.Login.Worked, &l.LoginCode.Address, &l.LoginCode.Worked, &l.Staff.Address, &l.Staff.Worked,
		&l.Store.Address, &l.Own.Stray,
		&l.Writes.Franchiser, &l.Writes.Address, &l.Writes.Gateway, &l.Writes.Doors, &l.Writes.Device,
		&l.Forms.Newsletter, &l.Forms.Withdrawals, &l.Forms.Contact,
	} {
		*n *= developmentFactor
	}
	l.Sends.PerAddress *= developmentFactor
	return l
}

const (
	shortWindow = 15 * time.Minute
	day         = 24 * time.Hour
	firstWait   = 15 * time.Second
	longestWait = 15 * time.Minute
)

// wait returns how long a guess without work waits, by how many are beyond what is free.
func wait(over int64) time.Duration {
	w := firstWait
	for range over - 1 {
		if w *= 2; w >= longestWait {
			return longestWait
		}
	}
	return w
}
