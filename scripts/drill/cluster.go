package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/scripts/stack"
)

const (
	// electing is how long the cluster is watched after it has lost something, before that comes back.
	electing = 32 * time.Second
	// writesBack is the longest time without writes after a primary crashes, machineBack after its machine is lost: Patroni waits 20 s
	// before it replaces a machine.
	writesBack  = 15 * time.Second
	machineBack = 30 * time.Second
	// steady is how long the cluster must be whole before the next strike: a Patroni that was frozen or cut off reports its old view for
	// some seconds.
	steady = 5 * time.Second
)

// clusterFaults break the cluster of docker-compose.cluster.yml.
func clusterFaults() []fault {
	list := []fault{
		{name: "none", times: 1, strike: func(ctx context.Context, _ *form, _ int) error { return pause(ctx, 15*time.Second) }},
		taking("kill -9 Postgres of the primary", 2, onPrimary((*form).killDatabase)),
		slowly(taking("primary off (Postgres and Patroni)", 2, onPrimary((*form).turnOff))),
		slowly(taking("primary frozen (Postgres and Patroni)", 2, onPrimary((*form).freezeDatabase))),
		slowly(taking("database and etcd of the primary cut off from the others", 2, onPrimary((*form).cutOff))),
		taking("database and etcd of the synchronous standby cut off from the others", 1, onStandby((*form).cutOff)),
		{name: "disk of the primary full 25 s", times: 1, ends: true, strike: fillPrimary},
		taking("synchronous standby off", 2, onStandby((*form).turnOff)),
		taking("planned switchover", 2, switchOver),
		taking("etcd member off, each in turn", 3, func(_ context.Context, f *form, n int) error { return f.turnOff(replica("etcd", 3, n)) }),
		taking("all of etcd off", 1, etcdOff),
		slowly(taking("primary and an etcd member off", 1, withEtcd)),
		slowly(taking("machine of the primary off, with all its parts", 2, onPrimary((*form).machineOff))),
		{name: "two of three databases off 20 s", times: 1, ends: true, strike: twoOff},
		{name: "rolling upgrade and downgrade", times: 2, strike: roll},
	}
	for _, part := range []struct {
		name, title string
		ends        bool // requests that the part has in hand are lost
	}{{"api", "api", false}, {"worker", "worker", false}, {"proxy", "proxy", true}, {"pgbouncer", "PgBouncer", true}, {"postgres", "HAProxy", true}} {
		list = append(list, fault{
			name: "kill -9 " + part.title, times: 2, ends: part.ends, resends: part.name == "worker", strike: ending(part.name, 2, syscall.SIGKILL),
		})
	}
	for _, by := range []time.Duration{5 * time.Minute, -5 * time.Minute} {
		list = append(list, fault{
			name: fmt.Sprintf("clock of one machine off by %s for %s, of the primary's and of a standby's", by, wrongFor), times: 2, clock: true,
			strike: wrongClock(by), ends: true,
		})
	}
	for i := range list {
		if list[i].within == 0 {
			list[i].within = writesBack
		}
		list[i].reads = readsBack
	}
	return list
}

// slowly is a fault after which Patroni waits for the machine.
func slowly(one fault) fault {
	one.within = machineBack
	return one
}

// taking is a fault whose strike only takes something away, so that the time without it is measured; then it comes back.
func taking(name string, times int, strike func(context.Context, *form, int) error) fault {
	return fault{name: name, times: times, ends: true, strike: strike, resends: true, calm: electing, mend: mendCluster}
}

// member is a database as Patroni sees it.
type member struct {
	Name  string `json:"name"`
	Role  string `json:"role"`
	State string `json:"state"`
}

// synchronousRoles returns the roles of the standbys that have every commit, in the words of Patroni's two modes.
func synchronousRoles() []string { return []string{"sync_standby", "quorum_standby"} }

func (m member) follows() bool { return m.State == "running" || m.State == "streaming" }

// views returns the members as each database's Patroni names them. A Patroni that was cut off may still name a former leader.
func (f *form) views(ctx context.Context) (all [][]member, err error) {
	for _, address := range f.read().Databases {
		var cluster struct {
			Members []member `json:"members"`
		}
		if failed := f.get(ctx, address+"/cluster", &cluster); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		all = append(all, cluster.Members)
	}
	if len(all) > 0 {
		return all, nil
	}
	return nil, errors.Join(errors.New("no Patroni answers"), err)
}

// members returns the view whose leader most databases name.
func (f *form) members(ctx context.Context) ([]member, error) {
	all, err := f.views(ctx)
	if err != nil {
		return nil, err
	}
	named := map[string]int{}
	for _, view := range all {
		named[leaderOf(view)]++
	}
	return slices.MaxFunc(all, func(a, b []member) int { return named[leaderOf(a)] - named[leaderOf(b)] }), nil
}

func leaderOf(view []member) string {
	for _, m := range view {
		if m.Role == "leader" {
			return m.Name
		}
	}
	return ""
}

// inRole returns the members in a role, such as leader or sync_standby.
func (f *form) inRole(ctx context.Context, roles ...string) ([]string, error) {
	list, err := f.members(ctx)
	var names []string
	for _, m := range list {
		if slices.Contains(roles, m.Role) && m.follows() {
			names = append(names, m.Name)
		}
	}
	return names, err
}

// whole reports whether all databases name the same leader, which the others follow, one of them with every commit.
func (f *form) whole(ctx context.Context) bool {
	all, err := f.views(ctx)
	if err != nil || len(all) < len(f.read().Databases) {
		return false
	}
	for _, view := range all {
		synchronous := slices.ContainsFunc(view, func(m member) bool { return slices.Contains(synchronousRoles(), m.Role) })
		stray := slices.ContainsFunc(view, func(m member) bool { return !m.follows() })
		if stray || !synchronous || len(view) < len(all) || leaderOf(view) == "" || leaderOf(view) != leaderOf(all[0]) {
			return false
		}
	}
	return true
}

// mendCluster brings back all that is off or frozen, and returns once the cluster is whole.
func mendCluster(ctx context.Context, f *form) error {
	a := f.read()
	for name := range a.Processes {
		if err := os.Remove(stack.OffFile(a.DataDir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("turn on %s: %w", name, err)
		}
	}
	if f.frozen != "" {
		if err := f.signalDatabase(f.frozen, syscall.SIGCONT); err != nil {
			return err
		}
		f.frozen = ""
	}
	if f.divided {
		if err := firewall("delete table inet franchise360_drill"); err != nil {
			return err
		}
		f.divided = false
	}
	f.note("all is on again")
	begun := time.Now()
	var since time.Time
	err := f.until(ctx, "the cluster is whole", func() bool {
		if !f.whole(ctx) {
			since = time.Time{}
		} else if since.IsZero() {
			since = time.Now()
		}
		return !since.IsZero() && time.Since(since) > steady
	})
	f.note("the cluster is whole again after %s", time.Since(begun).Round(100*time.Millisecond))
	return err
}

// first returns the only or first name in a role.
func (f *form) first(ctx context.Context, roles ...string) (string, error) {
	names, err := f.inRole(ctx, roles...)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("no database is %s", strings.Join(roles, " or "))
	}
	if err != nil {
		return "", err
	}
	return names[0], nil
}

func onPrimary(do func(*form, string) error) func(context.Context, *form, int) error {
	return func(ctx context.Context, f *form, _ int) error {
		name, err := f.first(ctx, "leader")
		if err != nil {
			return err
		}
		return do(f, name)
	}
}

func onStandby(do func(*form, string) error) func(context.Context, *form, int) error {
	return func(ctx context.Context, f *form, _ int) error {
		name, err := f.first(ctx, synchronousRoles()...)
		if err != nil {
			return err
		}
		return do(f, name)
	}
}

// server returns the processes of a database's Postgres, none if it does not run.
func (f *form) server(name string) []int {
	text, err := os.ReadFile(filepath.Join(f.read().DataDir, name, "cluster", "postmaster.pid"))
	if err != nil {
		return nil
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil || pid <= 1 {
		return nil
	}
	return family(pid)
}

func (f *form) killDatabase(name string) error {
	f.note("kill -9 to Postgres of %s", name)
	return signalAll(f.server(name), syscall.SIGKILL)
}

func signalAll(processes []int, signal syscall.Signal) error {
	for _, one := range processes {
		if err := syscall.Kill(one, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("%s to %d: %w", signal, one, err)
		}
	}
	return nil
}

// signalDatabase signals Patroni and its Postgres.
func (f *form) signalDatabase(name string, signal syscall.Signal) error {
	processes := f.server(name)
	return errors.Join(f.signal(name, signal), signalAll(processes, signal))
}

func (f *form) freezeDatabase(name string) error {
	f.frozen = name
	return f.signalDatabase(name, syscall.SIGSTOP)
}

// turnOff kills a part, which stays down until mendCluster.
func (f *form) turnOff(name string) error {
	if err := os.WriteFile(stack.OffFile(f.read().DataDir, name), nil, 0o600); err != nil {
		return fmt.Errorf("turn off %s: %w", name, err)
	}
	if strings.HasPrefix(name, "database-") {
		return f.signalDatabase(name, syscall.SIGKILL)
	}
	return f.signal(name, syscall.SIGKILL)
}

// machineOff turns off every part with the number of the database.
func (f *form) machineOff(database string) error {
	_, number, _ := strings.Cut(database, "-")
	err := f.turnOff(database)
	for name := range f.read().Processes {
		if name != database && strings.HasSuffix(name, "-"+number) {
			err = errors.Join(err, f.turnOff(name))
		}
	}
	return err
}

func withEtcd(ctx context.Context, f *form, _ int) error {
	name, err := f.first(ctx, "leader")
	if err != nil {
		return err
	}
	_, number, _ := strings.Cut(name, "-")
	return errors.Join(f.turnOff("etcd-"+number), f.turnOff(name))
}

// etcdOff leaves the databases without a judge: the primary goes on while it reaches the others.
func etcdOff(_ context.Context, f *form, _ int) (err error) {
	for i := range 3 {
		err = errors.Join(err, f.turnOff(replica("etcd", 3, i)))
	}
	return err
}

// fillPrimary fills the primary's disk for longer than the others need to elect another primary.
func fillPrimary(ctx context.Context, f *form, _ int) error {
	primary, err := f.first(ctx, "leader")
	if err != nil {
		return err
	}
	return fillDisk(ctx, f, primary, 25*time.Second)
}

// twoOff leaves one database, which takes no writes.
func twoOff(ctx context.Context, f *form, _ int) error {
	primary, err := f.first(ctx, "leader")
	if err != nil {
		return err
	}
	standby, err := f.first(ctx, synchronousRoles()...)
	if err != nil {
		return err
	}
	err = errors.Join(f.turnOff(primary), f.turnOff(standby))
	return errors.Join(err, pause(ctx, 20*time.Second), mendCluster(ctx, f))
}

func switchOver(ctx context.Context, f *form, _ int) error {
	primary, err := f.first(ctx, "leader")
	if err != nil {
		return err
	}
	standby, err := f.first(ctx, synchronousRoles()...)
	if err != nil {
		return err
	}
	f.note("switchover from %s to %s", primary, standby)
	return f.askPatroni(ctx, "/switchover", map[string]string{"leader": primary, "candidate": standby})
}

// wrongFor is longer than the two minutes after which Prometheus's rule ClockWrong fires.
const wrongFor = 150 * time.Second

// wrongClock moves the clock of the primary's machine, and on the next strike that of a standby's: of its database, api and worker.
func wrongClock(by time.Duration) func(context.Context, *form, int) error {
	return func(ctx context.Context, f *form, n int) error {
		roles := []string{"leader"}
		if n%2 == 1 {
			roles = synchronousRoles()
		}
		database, err := f.first(ctx, roles...)
		if err != nil {
			return err
		}
		_, number, _ := strings.Cut(database, "-")
		set := func(offset time.Duration) (err error) {
			for name := range f.read().Processes {
				if strings.HasSuffix(name, "-"+number) {
					err = errors.Join(err, f.setClock(name, offset))
				}
			}
			return err
		}
		return errors.Join(set(by), pause(ctx, wrongFor), set(0))
	}
}

// askPatroni posts to the first Patroni, which lets in whoever has the superuser's password.
func (f *form) askPatroni(ctx context.Context, path string, what any) error {
	a := f.read()
	owner, err := url.Parse(a.OwnerURL)
	if err != nil {
		return errors.New("read the database's address: it is no URL")
	}
	password, _ := owner.User.Password()
	body, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("ask Patroni: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, backLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.Databases[0]+path, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask Patroni: %w", err)
	}
	request.SetBasicAuth("patroni", password)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask Patroni: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(response.Body)
		return fmt.Errorf("ask Patroni: it answers %s: %s", response.Status, said)
	}
	return nil
}
