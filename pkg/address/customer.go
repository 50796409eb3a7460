package address

// CustomerSQL is for other domains' statements: the business address of franchiser $1, in one row. Its columns are address, legal_name and
// gstin, empty without an address.
const CustomerSQL = `
SELECT coalesce(a.address || ', ' || a.city || ' ' || a.zipcode || ', ' || s.name, '') AS address, coalesce(a.legal_name, '') AS legal_name,
    coalesce(a.gstin, '') AS gstin
FROM (VALUES ($1::uuid)) f (id) LEFT JOIN business_addresses a ON a.franchiser_id = f.id
    LEFT JOIN states s ON s.id = a.state_id`
