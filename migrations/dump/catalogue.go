package dump

const (
	// grantee is the role of an access list entry a.
	grantee = `CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END`

	columnsSQL = `SELECT quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
			|| CASE WHEN a.attcollation <> t.typcollation THEN ' COLLATE ' || quote_ident(l.collname) ELSE '' END
			|| CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
			|| CASE WHEN a.attgenerated <> '' THEN ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ')'
					|| CASE a.attgenerated WHEN 's' THEN ' STORED' ELSE '' END
				WHEN a.attidentity <> '' THEN ' GENERATED ' || CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END || ' AS IDENTITY'
				ELSE coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') END
		FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
			LEFT JOIN pg_collation l ON l.oid = a.attcollation
			LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
		WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`

	// Primary key, unique, checks, foreign keys. NOT NULL is shown with its column.
	constraintsSQL = `SELECT 'CONSTRAINT ' || quote_ident(c.conname) || ' ' || pg_get_constraintdef(c.oid)
		FROM pg_constraint c WHERE c.conrelid = $1::regclass AND c.contype IN ('p', 'u', 'x', 'c', 'f')
		ORDER BY position(c.contype::text IN 'puxcf'), c.conname COLLATE "C"`

	indexesSQL = `SELECT pg_get_indexdef(i.indexrelid) || ';' FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE i.indrelid = $1::regclass
			AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
		ORDER BY c.relname COLLATE "C"`

	commentsSQL = `SELECT 'COMMENT ON ' || CASE d.objsubid WHEN 0 THEN 'TABLE ' || $1::text ELSE 'COLUMN ' || $1::text || '.' || a.attname END
			|| ' IS ' || quote_literal(d.description) || ';'
		FROM pg_description d LEFT JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid AND d.objsubid > 0
		WHERE d.classoid = 'pg_class'::regclass AND d.objoid = $1::regclass ORDER BY d.objsubid`

	triggersSQL = `SELECT pg_get_triggerdef(t.oid) || CASE t.tgenabled WHEN 'A' THEN '; -- always' ELSE ';' END FROM pg_trigger t WHERE t.tgrelid = $1::regclass AND NOT t.tgisinternal
		ORDER BY t.tgname COLLATE "C"`

	securitySQL = `SELECT format('ALTER TABLE %s %s ROW LEVEL SECURITY;', relname, verb) FROM pg_class,
			LATERAL (VALUES (1, 'ENABLE', relrowsecurity), (2, 'FORCE', relforcerowsecurity)) AS v (place, verb, is_so)
		WHERE oid = $1::regclass AND is_so ORDER BY place`

	policiesSQL = `SELECT format('CREATE POLICY %I ON %s', p.policyname, p.tablename)
			|| CASE p.permissive WHEN 'RESTRICTIVE' THEN ' AS RESTRICTIVE' ELSE '' END
			|| CASE p.cmd WHEN 'ALL' THEN '' ELSE ' FOR ' || p.cmd END
			|| ' TO ' || (SELECT string_agg(r, ', ' ORDER BY r) FROM unnest(p.roles::text[]) r)
			|| coalesce(E'\n    USING (' || p.qual || ')', '') || coalesce(E'\n    WITH CHECK (' || p.with_check || ')', '') || ';'
		FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = $1 ORDER BY p.policyname COLLATE "C"`

	grantsSQL = `SELECT 'GRANT ' || string_agg(a.privilege_type, ', ' ORDER BY a.privilege_type) || ' ON '
			|| CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE '' END || c.relname || ' TO ' || ` + grantee + ` || ';'
		FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = $1::regclass AND a.grantee <> c.relowner
		GROUP BY c.relkind, c.relname, a.grantee ORDER BY ` + grantee

	columnGrantsSQL = `SELECT 'GRANT ' || string_agg(privilege || ' (' || columns || ')', ', ' ORDER BY privilege) || ' ON ' || relname
			|| ' TO ' || who || ';'
		FROM (SELECT c.relname, a.privilege_type AS privilege, ` + grantee + ` AS who, string_agg(t.attname, ', ' ORDER BY t.attnum) AS columns
			FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid AND NOT t.attisdropped, aclexplode(t.attacl) a
			WHERE c.oid = $1::regclass GROUP BY c.relname, a.privilege_type, a.grantee) g
		GROUP BY relname, who ORDER BY who`

	functionOwnerSQL = `SELECT format('ALTER %s %s OWNER TO %s;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END,
			p.oid::regprocedure, p.proowner::regrole)
		FROM pg_proc p WHERE p.oid = $1::regprocedure AND p.proowner::regrole::text LIKE 'franchise360\_%'`

	// A function without an access list may be called by everyone.
	functionGrantsSQL = `SELECT CASE
			WHEN p.proacl IS NULL THEN '-- EXECUTE: everybody'
			ELSE '-- EXECUTE: ' || coalesce((SELECT string_agg(` + grantee + `, ', ' ORDER BY ` + grantee + `)
				FROM aclexplode(p.proacl) a WHERE a.grantee <> p.proowner), 'nobody but its owner') END
		FROM pg_proc p WHERE p.oid = $1::regprocedure`
)
