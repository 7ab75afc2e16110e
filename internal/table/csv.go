package table

import (
	"strings"
)

// AppendCSV appends the table as RFC 4180 has it: a line of column names, then one
// for each row, ended by CR LF.
func (t *Table) AppendCSV(dst []byte) []byte {
	for i, c := range t.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(dst, c)
	}
	dst = append(dst, "\r\n"...)
	for _, row := range t.Rows {
		for i, v := range row {
			if i > 0 {
				dst = append(dst, ',')
			}
			switch v.Kind {
			case IsText:
				dst = appendField(dst, safe(v.Text))
			default: // figures: a minus is theirs
				dst = append(dst, v.String()...)
			}
		}
		dst = append(dst, "\r\n"...)
	}
	return dst
}

// safe keeps a spreadsheet from taking a name for a formula: what begins with one of
// = + - @, or a control character that is passed over before them, or stands for them
// in full width, gets an apostrophe in front.
func safe(s string) string {
	first := strings.TrimLeft(s, " ")
	if first == "" {
		return s
	}
	if strings.ContainsRune("=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20", []rune(first[:min(len(first), 4)])[0]) {
		return "'" + s
	}
	return s
}

func appendField(dst []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\r\n") && strings.TrimSpace(s) == s {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(s, `"`, `""`)...)
	return append(dst, '"')
}
