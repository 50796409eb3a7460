package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// place is where a database and an etcd of the cluster run: the firewall knows it by its address and by the group of its processes.
type place struct {
	address string
	group   uint32
}

// machineOf returns the machine of a database.
func (f *form) machineOf(database string) (m place, err error) {
	a := f.read()
	number, err := strconv.Atoi(strings.TrimPrefix(database, "database-"))
	if err != nil || number < 1 || number > len(a.Databases) {
		return m, fmt.Errorf("%s is no database", database)
	}
	patroni, err := url.Parse(a.Databases[number-1])
	if err != nil {
		return m, fmt.Errorf("read the address of %s: %w", database, err)
	}
	process, err := os.Stat(fmt.Sprintf("/proc/%d", a.Processes[database]))
	if err != nil {
		return m, fmt.Errorf("look at %s: %w", database, err)
	}
	owner, ok := process.Sys().(*syscall.Stat_t)
	if !ok {
		return m, errors.New("look at a process: not on this system")
	}
	return place{address: patroni.Hostname(), group: owner.Gid}, nil
}

// cutOff drops all that database and etcd of a machine ask those of the others, and the others ask them. Clients still reach it: a primary
// that went on would divide the data.
func (f *form) cutOff(database string) error {
	here, err := f.machineOf(database)
	if err != nil {
		return err
	}
	var addresses, groups []string
	for i := range f.read().Databases {
		name := replica("database", 3, i)
		m, err := f.machineOf(name)
		switch {
		case err != nil:
			return err
		case name == database:
		case m.group == here.group:
			return errors.New("the machines have one group: only root can cut off one")
		default:
			addresses, groups = append(addresses, m.address), append(groups, fmt.Sprint(m.group))
		}
	}
	f.note("%s is cut off from %s", database, strings.Join(addresses, " and "))
	f.divided = true
	return firewall(fmt.Sprintf(`table inet franchise360_drill {
	chain output {
		type filter hook output priority filter
		meta skgid %d ip daddr { %s } drop
		meta skgid { %s } ip daddr %s drop
	}
}`, here.group, strings.Join(addresses, ", "), strings.Join(groups, ", "), here.address))
}

// firewall runs commands of nftables.
func firewall(commands string) error {
	program := exec.Command("nft", "-f", "-") //nolint:noctx // it changes the kernel's rules at once
	program.Stdin = strings.NewReader(commands + "\n")
	if out, err := program.CombinedOutput(); err != nil {
		return fmt.Errorf("nft: %w\n%s", err, out)
	}
	return nil
}
