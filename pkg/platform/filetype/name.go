package filetype

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// The bounds of an uploaded file, in bytes, and of its name, in characters. The tables of files check them too.
const (
	MaxBytes = 5 << 20
	MaxName  = 120
)

// ErrTooLarge refuses a file of more than MaxBytes.
func ErrTooLarge() error {
	return errs.New(errs.KindTooLarge, "file_too_large", "A file may have at most 5 MB.")
}

// endings returns the file endings of a media type, the usual one first.
func endings(mediaType string) []string {
	switch mediaType {
	case "application/pdf":
		return []string{".pdf"}
	case "image/png":
		return []string{".png"}
	case "image/jpeg":
		return []string{".jpg", ".jpeg"}
	case "image/webp":
		return []string{".webp"}
	case XLSX:
		return []string{".xlsx"}
	case CSV:
		return []string{".csv", ".txt"}
	default:
		return []string{".txt"}
	}
}

// Name cleans the name of an uploaded file. It removes folders and characters that file systems or headers treat specially, adds the ending of
// the media type if the name lacks it, and shortens the name to MaxName.
func Name(name, mediaType string) string {
	name = text.Line(path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/")))
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`"<>:|?*/`, r) {
			return -1
		}
		return r
	}, name)
	name = strings.Trim(name, ". ")
	if name == "" {
		name = "file"
	}
	of := endings(mediaType)
	if !slices.Contains(of, strings.ToLower(path.Ext(name))) {
		name += of[0]
	}
	if runes := []rune(name); len(runes) > MaxName {
		ending := path.Ext(name)
		name = string(runes[:MaxName-len(ending)]) + ending
	}
	return name
}
