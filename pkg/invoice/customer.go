package invoice

// CustomerSQL returns in one row, for another domain's query, missing_documents: how many documents of franchiser $1 have no PDF yet.
const CustomerSQL = `
SELECT count(*) AS missing_documents FROM invoices i WHERE i.franchiser_id = $1
    AND NOT EXISTS (SELECT FROM invoice_documents x WHERE x.invoice_id = i.id)`
