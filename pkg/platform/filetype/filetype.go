// Package filetype recognises the files that people may send by their first bytes, whatever their name or declared type says.
package filetype

import "bytes"

// Of returns the media type of a PNG, JPEG or WebP image or a PDF; empty for any other content.
func Of(content []byte) string {
	begins := func(at int, with string) bool {
		return len(content) >= at && bytes.HasPrefix(content[at:], []byte(with))
	}
	switch {
	case begins(0, "\x89PNG\r\n\x1a\n"):
		return "image/png"
	case begins(0, "\xff\xd8\xff"):
		return "image/jpeg"
	case begins(0, "RIFF") && begins(8, "WEBP"):
		return "image/webp"
	case begins(0, "%PDF-"):
		return "application/pdf"
	}
	return ""
}
