package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/versity/versitygw/auth"
)

// accounts are the users: the gateway's root, whose keys are random, the writer and, if configured, the reader.
type accounts struct {
	auth.IAMService
	root  auth.Account
	users map[string]auth.Account
}

// newAccounts reads the writer from S3_ACCESS_KEY and S3_SECRET_KEY and the reader from S3_READ_ACCESS_KEY and
// S3_READ_SECRET_KEY. Root gets random keys that live as long as the process and are never disclosed.
func newAccounts(getenv func(string) string) (*accounts, error) {
	root := auth.Account{Access: rand.Text(), Secret: rand.Text(), Role: auth.RoleAdmin}
	a := &accounts{IAMService: auth.NewIAMServiceSingle(root), root: root, users: map[string]auth.Account{}}
	for _, name := range []string{"S3_", "S3_READ_"} {
		key, secret := getenv(name+"ACCESS_KEY"), getenv(name+"SECRET_KEY")
		if key == "" && name != "S3_" {
			continue
		}
		if _, taken := a.users[key]; key == "" || secret == "" || taken {
			return nil, fmt.Errorf("%sACCESS_KEY, %sSECRET_KEY: want both, and another key than the writer's", name, name)
		}
		a.users[key] = auth.Account{Access: key, Secret: secret, Role: auth.RoleUser}
	}
	return a, nil
}

// GetUserAccount returns ErrNoSuchUser if the key is unknown.
func (a *accounts) GetUserAccount(access string) (auth.Account, error) {
	if user, ok := a.users[access]; ok {
		return user, nil
	}
	return auth.Account{}, auth.ErrNoSuchUser
}

// ResolveAccounts returns the keys that belong to nobody.
func (a *accounts) ResolveAccounts(keys []string) ([]string, error) {
	var missing []string
	for _, key := range keys {
		if _, err := a.GetUserAccount(key); errors.Is(err, auth.ErrNoSuchUser) {
			missing = append(missing, key)
		}
	}
	return missing, nil
}

type statement struct {
	Effect    string
	Principal map[string][]string
	Action    []string
	Resource  []string
}

// policy lets the writer list, read and write the bucket's objects, the reader read them, and nobody delete any.
func policy(bucket, writer, reader string) ([]byte, error) {
	resource := "arn:aws:s3:::" + bucket
	all := map[string][]string{"AWS": {writer}}
	statements := []statement{
		{Effect: "Allow", Principal: all, Action: []string{"s3:ListBucket", "s3:ListBucketVersions"}, Resource: []string{resource}},
		{Effect: "Allow", Principal: all, Action: []string{"s3:GetObject", "s3:PutObject"}, Resource: []string{resource + "/*"}},
	}
	if reader != "" {
		statements = append(statements, statement{
			Effect: "Allow", Principal: map[string][]string{"AWS": {reader}}, Action: []string{"s3:GetObject"}, Resource: []string{resource + "/*"},
		})
	}
	return json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": statements})
}
