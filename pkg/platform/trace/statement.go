package trace

import "strings"

// maxStatement is the maximum length of a statement in a span, in bytes.
const maxStatement = 600

// Statement returns the SQL for a span: on one line, at most maxStatement bytes, with quoted text removed. Our statements
// pass values as parameters, which are never recorded; quoted text is removed as a precaution.
func Statement(sql string) string {
	var out strings.Builder
	quoted, space := false, false
	for i := 0; i < len(sql) && out.Len() < maxStatement; i++ {
		switch c := sql[i]; {
		case c == '\'':
			if quoted = !quoted; quoted {
				out.WriteString("'…'")
			}
			space = false
		case quoted:
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			if !space && out.Len() > 0 {
				out.WriteByte(' ')
			}
			space = true
		default:
			out.WriteByte(c)
			space = false
		}
	}
	return strings.ToValidUTF8(strings.TrimRight(out.String(), " "), "")
}
