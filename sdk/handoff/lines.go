package handoff

import "strings"

// Lines gives the lines of a file as a handoff shows them: without their ends, without a byte order mark, and with a
// replacement character for what is no UTF-8. A line end at the end of the text begins no further line.
func Lines(text string) []string {
	if text == "" {
		return nil
	}
	text = strings.TrimPrefix(text, "\ufeff")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.ToValidUTF8(strings.TrimSuffix(l, "\r"), "\ufffd")
	}
	return lines
}
