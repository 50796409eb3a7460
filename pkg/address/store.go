package address

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

const countriesSQL = `SELECT id, name FROM countries ORDER BY name`

func countries(ctx context.Context, db sqlx.QueryerContext) ([]Item, error) {
	return items(ctx, db, "countries", countriesSQL)
}

const statesSQL = `SELECT id, name FROM states WHERE country_id = $1 ORDER BY name`

func states(ctx context.Context, db sqlx.QueryerContext, countryID string) ([]Item, error) {
	return items(ctx, db, "states", statesSQL, countryID)
}

// StatesTx lists the States of India by name, in the caller's transaction.
func StatesTx(ctx context.Context, tx *sqlx.Tx) ([]Item, error) { return states(ctx, tx, Country) }

const citiesSQL = `SELECT id, name FROM cities WHERE state_id = $1 ORDER BY name`

func cities(ctx context.Context, db sqlx.QueryerContext, stateID string) ([]Item, error) {
	return items(ctx, db, "cities", citiesSQL, stateID)
}

func items(ctx context.Context, db sqlx.QueryerContext, what, query string, args ...any) ([]Item, error) {
	list := []Item{}
	if err := sqlx.SelectContext(ctx, db, &list, query, args...); err != nil {
		return nil, fmt.Errorf("list %s: %w", what, err)
	}
	return list, nil
}

const countryIDSQL = `SELECT id FROM countries WHERE id = upper($1) OR lower(name) = lower($1)`

// countryID returns the id of the country with that id or name, or "".
func countryID(ctx context.Context, db sqlx.QueryerContext, idOrName string) (string, error) {
	if !text.Storable(idOrName) {
		return "", nil
	}
	return optional(ctx, db, "country", countryIDSQL, idOrName)
}

const stateIDSQL = `SELECT id FROM states WHERE id = $1 OR $2 = ANY (keys) ORDER BY id LIMIT 1`

// stateID returns the GST code of the State with that code or name, or "".
func stateID(ctx context.Context, db sqlx.QueryerContext, idOrName string) (string, error) {
	if !text.Storable(idOrName) {
		return "", nil
	}
	return optional(ctx, db, "state", stateIDSQL, idOrName, Key(idOrName))
}

func optional(ctx context.Context, db sqlx.QueryerContext, what, query string, args ...any) (string, error) {
	var found string
	err := sqlx.GetContext(ctx, db, &found, query, args...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("find %s: %w", what, err)
	}
	return found, nil
}

const cityOfSQL = `
SELECT id, name FROM cities
WHERE state_id = $1 AND (id = $2 OR $3 = ANY (keys))
ORDER BY id = $2 DESC, keys[1] = $3 DESC LIMIT 1`

// cityOf returns the State's city with that id or one of its names, or the zero Item.
func cityOf(ctx context.Context, db sqlx.QueryerContext, stateID, idOrName string) (Item, error) {
	var found Item
	if !text.Storable(idOrName) {
		return found, nil
	}
	err := sqlx.GetContext(ctx, db, &found, cityOfSQL, stateID, idOrName, Key(idOrName))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Item{}, fmt.Errorf("find city: %w", err)
	}
	return found, nil
}

// BillingSQL reads the address of the franchiser $1 as JSON with the names behind its ids. BillingOf decodes it for other domains.
const BillingSQL = `
SELECT to_jsonb(a) || jsonb_build_object('country', c.name, 'state', s.name)
FROM business_addresses a JOIN countries c ON c.id = a.country_id JOIN states s ON s.id = a.state_id
WHERE a.franchiser_id = $1`

// ofFranchiser returns the franchiser's address, or nil.
func ofFranchiser(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*Address, error) {
	var found []byte
	err := tx.GetContext(ctx, &found, BillingSQL, franchiserID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read address: %w", err)
	}
	return decode(found)
}

// decode returns the address that BillingSQL found, nil if there is none.
func decode(found []byte) (*Address, error) {
	if found == nil {
		return nil, nil //nolint:nilnil // having no address yet is not an error
	}
	a := &Address{}
	if err := json.Unmarshal(found, a); err != nil {
		return nil, fmt.Errorf("decode address: %w", err)
	}
	return a, nil
}

// BillingOf returns the address of a charge from the result of BillingSQL, nil if there is none.
func BillingOf(found []byte) (*BillingAddress, error) {
	a, err := decode(found)
	if err != nil || a == nil {
		return nil, err
	}
	b := a.Billing()
	return &b, nil
}

const upsertSQL = `
INSERT INTO business_addresses (id, franchiser_id, address, street, landmark, country_id, state_id, city, city_id, zipcode,
    latitude, longitude, location, legal_name, gstin, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, nullif($9, ''), $10, $11, $12, $13, $14, $15, $16, $16)
ON CONFLICT (franchiser_id) DO UPDATE SET
    address = excluded.address, street = excluded.street, landmark = excluded.landmark, country_id = excluded.country_id,
    state_id = excluded.state_id, city = excluded.city, city_id = excluded.city_id, zipcode = excluded.zipcode,
    latitude = excluded.latitude, longitude = excluded.longitude, location = excluded.location,
    legal_name = excluded.legal_name, gstin = excluded.gstin, updated_at = excluded.updated_at`

func upsert(ctx context.Context, tx *sqlx.Tx, a Address, now time.Time) error {
	_, err := tx.ExecContext(ctx, upsertSQL, a.ID, a.FranchiserID, a.Address, a.Street, a.Landmark, a.CountryID, a.StateID,
		a.City, a.CityID, a.Zipcode, a.Latitude, a.Longitude, a.Location, a.LegalName, a.GSTIN, now)
	if err != nil {
		return fmt.Errorf("save address: %w", err)
	}
	return nil
}

const eraseSQL = `DELETE FROM business_addresses WHERE franchiser_id = $1`

// erase is for the worker: the API's role may not delete an address.
func erase(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, eraseSQL, franchiserID); err != nil {
		return fmt.Errorf("erase address: %w", err)
	}
	return nil
}
