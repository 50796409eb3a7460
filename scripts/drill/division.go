package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// groupOf returns the group of a process.
func groupOf(pid int) (uint32, error) {
	process, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	if err != nil {
		return 0, fmt.Errorf("look at a process: %w", err)
	}
	owner, ok := process.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, errors.New("look at a process: not on this system")
	}
	return owner.Gid, nil
}

// cutOff drops the packets between database and etcd of one machine and those of the others. Clients still reach the machine: if a primary
// there continued, the data would divide. The firewall tells the machines apart by address and by the group of their processes.
func (f *form) cutOff(database string) error {
	a := f.read()
	var here string
	var addresses, groups []string
	own, err := groupOf(a.Processes[database])
	if err != nil {
		return err
	}
	for i, patroni := range a.Databases {
		name := replica("database", len(a.Databases), i)
		address, err := url.Parse(patroni)
		if err != nil {
			return fmt.Errorf("read the address of %s: %w", name, err)
		}
		if name == database {
			here = address.Hostname()
			continue
		}
		group, err := groupOf(a.Processes[name])
		if err != nil {
			return err
		}
		if group == own {
			return errors.New("the machines have one group: only root can cut off one")
		}
		addresses, groups = append(addresses, address.Hostname()), append(groups, fmt.Sprint(group))
	}
	f.note("%s is cut off from %s", database, strings.Join(addresses, " and "))
	f.divided = true
	return firewall(fmt.Sprintf(`table inet franchise360_drill {
	chain output {
		type filter hook output priority filter
		meta skgid %d ip daddr { %s } drop
		meta skgid { %s } ip daddr %s drop
	}
}`, own, strings.Join(addresses, ", "), strings.Join(groups, ", "), here))
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
