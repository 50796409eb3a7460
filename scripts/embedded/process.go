package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// EndProcess ends the process of an earlier, killed run. It looks at the command line first: a process whose
// command line does not hold mark is somebody else's with a re-used id, and is left alone.
func EndProcess(ctx context.Context, pid int, mark string, gentle syscall.Signal) error {
	if !strings.Contains(commandLine(ctx, pid), mark) {
		return nil
	}
	for _, signal := range []syscall.Signal{gentle, syscall.SIGKILL} {
		if err := syscall.Kill(pid, signal); errors.Is(err, syscall.ESRCH) {
			return nil
		} else if err != nil {
			return fmt.Errorf("end the process %d of an earlier run: %w", pid, err)
		}
		for deadline := time.Now().Add(stopTimeout / 2); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			if commandLine(ctx, pid) == "" {
				return nil
			}
		}
	}
	return fmt.Errorf("the process %d of an earlier run does not end", pid)
}

// commandLine is the command line of a living process, or empty; zombies have none.
func commandLine(ctx context.Context, pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err == nil {
		return strings.ReplaceAll(string(text), "\x00", " ")
	}
	if _, err := os.Stat("/proc/self"); err == nil {
		return ""
	}
	output, err := exec.CommandContext(ctx, "ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return string(output)
}
