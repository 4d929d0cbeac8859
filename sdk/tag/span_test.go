package tag

import "testing"

func TestSpanOfCountsRows(t *testing.T) {
	src := []byte("a\nbc\nd\n")
	for _, tt := range []struct {
		start, end int
		want       Span
	}{
		{0, 1, Span{0, 1, 0, 0}},
		{2, 5, Span{2, 5, 1, 1}}, // the line feed at its end belongs to the row that it ends
		{2, 6, Span{2, 6, 1, 2}},
		{7, 7, Span{7, 7, 3, 3}},
	} {
		if got := SpanOf(src, tt.start, tt.end); got != tt.want {
			t.Errorf("SpanOf(%d, %d) = %v, want %v", tt.start, tt.end, got, tt.want)
		}
	}
}
