package invoice

// CustomerSQL is for another domain's statement: missing_documents, how many documents of the franchiser $1 have no PDF yet, in one row.
const CustomerSQL = `
SELECT count(*) AS missing_documents FROM invoices i WHERE i.franchiser_id = $1
    AND NOT EXISTS (SELECT FROM invoice_documents x WHERE x.invoice_id = i.id)`
