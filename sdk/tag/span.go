package tag

import "bytes"

// SpanOf makes the span of src[start:end] by counting rows; for extractors whose parser gives offsets only.
func SpanOf(src []byte, start, end int) Span {
	row := bytes.Count(src[:start], []byte{'\n'})
	rows := bytes.Count(src[start:max(start, end-1)], []byte{'\n'})
	return Span{Start: uint32(start), End: uint32(end), StartRow: uint32(row), EndRow: uint32(row + rows)}
}
