package logkeeper

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// keepFor is what CERT-In's directions of 28 April 2022 demand under section 70B(6) of the Information Technology Act, 2000.
	keepFor = 180 * 24 * time.Hour
	// settled is how long a file has not changed before it is complete: a process may hold a line back at midnight.
	settled = 10 * time.Minute
	// mostGap is the most that the time between two seals adds to a file's age. Each day has a seal: a longer time is a clock that was
	// set wrong, or a keeper that stood still.
	mostGap = 36 * time.Hour
)

// keeper keeps the files of its root's folders: product (api and worker) and proxy. seals is the folder of the chain.
type keeper struct {
	root string
	now  func() time.Time
}

// seal is a line of the chain. Hash covers the other fields, so that a changed line breaks every later one.
type seal struct {
	Number   int       `json:"number"`
	At       time.Time `json:"at"`
	File     string    `json:"file"`
	SHA256   string    `json:"sha256"`
	Previous string    `json:"previous"`
	Hash     string    `json:"hash"`
}

func (s seal) hash() string {
	text := strings.Join([]string{strconv.Itoa(s.Number), s.At.UTC().Format(time.RFC3339), s.File, s.SHA256, s.Previous}, "\n")
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (k *keeper) seals() string { return filepath.Join(k.root, "seals", "chain.jsonl") }

// keep deletes files past their time, compresses and seals those of past days, and returns the new seals. It deletes first, because
// a full disk stops the rest.
func (k *keeper) keep() ([]seal, error) {
	chain, size, err := k.read()
	if err != nil {
		return nil, err
	}
	if err := k.prune(chain); err != nil {
		return nil, err
	}
	if err := k.compress(chain); err != nil {
		return nil, err
	}
	made, err := k.seal(chain, size)
	if err != nil {
		return made, err
	}
	now := k.now()
	if err := os.Chtimes(k.seals(), now, now); err != nil { // health reads it
		return made, fmt.Errorf("note the look: %w", err)
	}
	return made, nil
}

// files returns the paths, within the root, of the files whose names match.
func (k *keeper) files(patterns ...string) (names []string, err error) {
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(k.root, pattern))
		if err != nil {
			return nil, fmt.Errorf("list the logs: %w", err)
		}
		for _, path := range paths {
			name, err := filepath.Rel(k.root, path)
			if err != nil {
				return nil, fmt.Errorf("list the logs: %w", err)
			}
			names = append(names, filepath.ToSlash(name))
		}
	}
	slices.Sort(names)
	return names, nil
}

// isSettled reports whether the file has not changed for a while.
func (k *keeper) isSettled(name string) (bool, error) {
	info, err := os.Stat(filepath.Join(k.root, name))
	if err != nil {
		return false, fmt.Errorf("look at a log: %w", err)
	}
	return k.now().Sub(info.ModTime()) >= settled, nil
}

// compress compresses the product's files of past days; the proxy compresses its own. If the clock went back, a day's file may come
// again. It then becomes a further part.
func (k *keeper) compress(chain []seal) error {
	names, err := k.files("product/*.jsonl")
	if err != nil {
		return err
	}
	today := k.now().UTC().Format(time.DateOnly)
	for _, name := range names {
		complete, err := k.isSettled(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, today+".jsonl") || !complete {
			continue
		}
		if err := k.compressOne(name, chain); err != nil {
			return fmt.Errorf("compress %s: %w", name, err)
		}
	}
	return nil
}

// compressOne replaces a file by its compressed copy under the first free name. A name stays taken after its file was deleted. It only
// removes the file if it was compressed before, by a process that died.
func (k *keeper) compressOne(name string, chain []seal) error {
	path := filepath.Join(k.root, name)
	made := path + ".gz.new"
	if err := compress(path, made); err != nil {
		return err
	}
	sum, err := sumOf(made)
	if err != nil {
		return err
	}
	for part := 1; ; part++ {
		to := name + ".gz"
		if part > 1 {
			to = fmt.Sprintf("%s.part%d.jsonl.gz", strings.TrimSuffix(name, ".jsonl"), part)
		}
		there, err := sumOf(filepath.Join(k.root, to))
		switch {
		case err == nil && there == sum:
			return errors.Join(os.Remove(made), os.Remove(path))
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case err != nil && !slices.ContainsFunc(chain, func(s seal) bool { return s.File == to }):
			return errors.Join(os.Rename(made, filepath.Join(k.root, to)), os.Remove(path))
		}
	}
}

func compress(path, to string) (err error) {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	z := gzip.NewWriter(out)
	_, err = io.Copy(z, in)
	return errors.Join(err, z.Close(), out.Sync(), out.Close())
}

// seal appends a line to the chain for each compressed file without one. It first cuts the chain to size, which ends at its last whole
// line.
func (k *keeper) seal(chain []seal, size int64) (made []seal, err error) {
	sealed := map[string]bool{}
	last := seal{}
	for _, s := range chain {
		sealed[s.File], last = true, s
	}
	names, err := k.files("product/*.gz", "proxy/*.gz")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(k.seals()), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of seals: %w", err)
	}
	file, err := os.OpenFile(k.seals(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the chain: %w", err)
	}
	defer func() { err = errors.Join(err, file.Sync(), file.Close()) }()
	if err := file.Truncate(size); err != nil {
		return nil, fmt.Errorf("cut off a torn seal: %w", err)
	}
	for _, name := range names {
		// What the product's folder got is whole, because it was renamed; the proxy writes its compressed files in place.
		complete, err := k.isSettled(name)
		if err != nil {
			return made, err
		}
		if sealed[name] || !complete && strings.HasPrefix(name, "proxy/") {
			continue
		}
		sum, err := sumOf(filepath.Join(k.root, name))
		if err != nil {
			return made, err
		}
		next := seal{Number: last.Number + 1, At: k.now().UTC().Truncate(time.Second), File: name, SHA256: sum, Previous: last.Hash}
		next.Hash = next.hash()
		text, err := json.Marshal(next)
		if err != nil {
			return made, fmt.Errorf("seal %s: %w", name, err)
		}
		if _, err := file.Write(append(text, '\n')); err != nil {
			return made, fmt.Errorf("seal %s: %w", name, err)
		}
		made, last = append(made, next), next
	}
	return made, nil
}

func sumOf(path string) (sum string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read a log: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", fmt.Errorf("read a log: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// prune deletes the files that were sealed long enough ago. Their lines stay in the chain.
func (k *keeper) prune(chain []seal) error {
	for i, age := range k.ages(chain) {
		if age <= keepFor {
			continue
		}
		if err := os.Remove(filepath.Join(k.root, filepath.FromSlash(chain[i].File))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete a log: %w", err)
		}
	}
	return nil
}

// ages returns the ages of the sealed files. An age is the sum of the times between seals, each at most mostGap and none below zero: one
// clock that was wrong for a while changes an age by little, in either direction.
func (k *keeper) ages(chain []seal) []time.Duration {
	list, age, later := make([]time.Duration, len(chain)), time.Duration(0), k.now()
	for i, s := range slices.Backward(chain) {
		age += min(max(later.Sub(s.At), 0), mostGap)
		list[i], later = age, s.At
	}
	return list
}

// read returns the chain and the size of its lines, or an error that names the first line that does not follow from the one before. A last
// line without its end was never written: the process died, or the disk was full.
func (k *keeper) read() (chain []seal, size int64, err error) {
	text, err := os.ReadFile(k.seals())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("read the chain: %w", err)
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	last := seal{}
	for line := range bytes.Lines(text) {
		var s seal
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, 0, fmt.Errorf("seal %d: %w", last.Number+1, err)
		}
		if s.Number != last.Number+1 || s.Previous != last.Hash || s.Hash != s.hash() || !filepath.IsLocal(filepath.FromSlash(s.File)) {
			return nil, 0, fmt.Errorf("seal %d was changed", last.Number+1)
		}
		chain, last = append(chain, s), s
	}
	return chain, int64(len(text)), nil
}

// verify returns the last seal, or an error for each file that was changed, removed too early, or not sealed in time, and for each of the
// known hashes that no seal has. The chain alone cannot show that its end was cut off together with the files: a known hash can.
func (k *keeper) verify(known ...string) (seal, error) {
	chain, _, err := k.read()
	if err != nil {
		return seal{}, err
	}
	var problems []error
	sealed, hashes, last := map[string]bool{}, map[string]bool{}, seal{}
	ages := k.ages(chain)
	for i, s := range chain {
		sealed[s.File], hashes[s.Hash], last = true, true, s
		sum, err := sumOf(filepath.Join(k.root, filepath.FromSlash(s.File)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if ages[i] <= keepFor {
				problems = append(problems, fmt.Errorf("%s was removed", s.File))
			}
		case err != nil:
			problems = append(problems, err)
		case sum != s.SHA256:
			problems = append(problems, fmt.Errorf("%s was changed", s.File))
		}
	}
	for _, hash := range known {
		if !hashes[hash] {
			problems = append(problems, fmt.Errorf("the seal %s is gone", hash))
		}
	}
	late, err := k.unsealed(sealed)
	for _, name := range late {
		problems = append(problems, fmt.Errorf("%s is not sealed", name))
	}
	return last, errors.Join(append(problems, err)...)
}

// unsealed returns the files of past days that keep should have sealed by now.
func (k *keeper) unsealed(sealed map[string]bool) (late []string, err error) {
	names, err := k.files("product/*.jsonl", "product/*.gz", "proxy/*.gz")
	if err != nil {
		return nil, err
	}
	today := k.now().UTC().Format(time.DateOnly)
	for _, name := range names {
		info, err := os.Stat(filepath.Join(k.root, name))
		if errors.Is(err, fs.ErrNotExist) { // compressed since the list was read
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look at a log: %w", err)
		}
		if !sealed[name] && !strings.HasSuffix(name, today+".jsonl") && k.now().Sub(info.ModTime()) > settled+healthyFor {
			late = append(late, name)
		}
	}
	return late, nil
}
