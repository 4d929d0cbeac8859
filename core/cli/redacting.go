package cli

import "io"

// redactingWriter takes secrets out of what is written. Each write is looked at by itself: messages and log lines come
// whole.
type redactingWriter struct {
	w      io.Writer
	redact func(string) string
}

// Write implements io.Writer; it reports the length of what it was given, not of what came out.
func (r *redactingWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(r.w, r.redact(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
