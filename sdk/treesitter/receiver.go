package treesitter

import "github.com/repox-dev/repox/sdk/tag"

// placeReceivers writes the type that a method belongs to in the place of @ at the start of a receiver.
func placeReceivers(f *tag.File) {
	next, open := 0, -1
	var written map[[2]string]string
	for i := range f.References {
		r := &f.References[i]
		for next < len(f.Definitions) && f.Definitions[next].Start <= r.Start {
			if d := &f.Definitions[next]; declaresLocals(d.Kind) && (open < 0 || f.Definitions[open].End <= d.Start) {
				open = next
			}
			next++
		}
		switch {
		case r.Receiver == "":
		case r.Qualifier != tag.UnknownQualifier:
			r.Receiver = ""
		case r.Receiver[0] == '@':
			if open < 0 || f.Definitions[open].End <= r.Start || f.Definitions[open].Scope == "" {
				r.Receiver = ""
				continue
			}
			key := [2]string{f.Definitions[open].Scope, r.Receiver}
			path, ok := written[key]
			if !ok {
				path = key[0] + r.Receiver[1:]
				if written == nil {
					written = map[[2]string]string{}
				}
				written[key] = path
			}
			r.Receiver = path
		}
	}
}

// valueBefore gives the text of the value that ends at a place: names with dots between, calls and indexes.
func valueBefore(src []byte, end int) string {
	const longest = 200
	at := end
	for at > 0 && end-at < longest {
		switch c := src[at-1]; {
		case isNameByte(c), c == '.', c == '?':
			at--
			continue
		case c == ':' && at > 1 && src[at-2] == ':':
			at -= 2
			continue
		case c == ')' || c == ']':
			if open := openingBefore(src, at-1, longest); open >= 0 && open != at-1 {
				at = open
				continue
			}
			return ""
		}
		break
	}
	return string(src[at:end])
}

// openingBefore gives the index of the bracket that the one at close belongs to, -1 if it is too far away.
func openingBefore(src []byte, close, longest int) int {
	depth := 0
	for i := close; i >= 0 && close-i < longest; i-- {
		switch src[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			return -1
		}
	}
	return -1
}
