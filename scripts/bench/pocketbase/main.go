// Command pocketbase is the same list of orders on PocketBase (MIT licence), the reference that make bench compares ours with:
// signed-in users whose orders are visible to their owner alone through a list rule. It reads a wanted from stdin, writes a
// told with its address, and serves until it is killed. PocketBase runs with its defaults.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// wanted is the number of users, the number of orders each has, and the content of an order.
type wanted struct {
	Users  int            `json:"users"`
	Orders int            `json:"orders"`
	Row    map[string]any `json:"row"`
}

// told is the server's address and a token per user.
type told struct {
	Address string   `json:"address"`
	Tokens  []string `json:"tokens"`
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pocketbase:", err)
		os.Exit(1)
	}
}

// run serves from an empty folder that the caller removes.
func run(dir string) error {
	var w wanted
	if err := json.NewDecoder(os.Stdin).Decode(&w); err != nil {
		return fmt.Errorf("read what is wanted: %w", err)
	}
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: dir, HideStartBanner: true})
	if err := app.Bootstrap(); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	if err := app.RunAllMigrations(); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	tokens, err := fill(app, w)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		e.Listener, e.InstallerFunc = listener, nil
		if err := json.NewEncoder(os.Stdout).Encode(told{Address: listener.Addr().String(), Tokens: tokens}); err != nil {
			return fmt.Errorf("tell the address: %w", err)
		}
		return e.Next()
	})
	return apis.Serve(app, apis.ServeConfig{HttpAddr: listener.Addr().String()})
}

// fill creates the orders collection with the row's fields, the users and their orders, and returns the users' tokens.
func fill(app core.App, w wanted) ([]string, error) {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return nil, fmt.Errorf("find the users: %w", err)
	}
	orders := core.NewBaseCollection("orders")
	orders.ListRule = types.Pointer("owner = @request.auth.id")
	orders.Fields.Add(
		&core.RelationField{Name: "owner", CollectionId: users.Id, MaxSelect: 1, Required: true},
		&core.NumberField{Name: "number"},
	)
	for name, value := range w.Row {
		orders.Fields.Add(fieldOf(name, value))
	}
	orders.AddIndex("orders_list", false, "owner, number", "")
	if err := app.Save(orders); err != nil {
		return nil, fmt.Errorf("make the collection: %w", err)
	}
	tokens := make([]string, 0, w.Users)
	err = app.RunInTransaction(func(tx core.App) error {
		for n := range w.Users {
			user := core.NewRecord(users)
			user.SetEmail(fmt.Sprintf("bench%d@example.in", n))
			user.SetRandomPassword()
			if err := tx.Save(user); err != nil {
				return fmt.Errorf("make a user: %w", err)
			}
			token, err := user.NewAuthToken()
			if err != nil {
				return fmt.Errorf("sign in: %w", err)
			}
			tokens = append(tokens, token)
			for number := range w.Orders {
				order := core.NewRecord(orders)
				order.Load(w.Row)
				order.Set("owner", user.Id)
				order.Set("number", number)
				if err := tx.SaveNoValidate(order); err != nil {
					return fmt.Errorf("make an order: %w", err)
				}
			}
		}
		return nil
	})
	return tokens, err
}

func fieldOf(name string, value any) core.Field {
	switch value.(type) {
	case float64:
		return &core.NumberField{Name: name}
	case bool:
		return &core.BoolField{Name: name}
	case string, nil:
		return &core.TextField{Name: name}
	default:
		return &core.JSONField{Name: name}
	}
}
