package pluginhost

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// logValueLimit bounds, in bytes, a value of a structured log line that is no string.
const logValueLimit = 2 << 10

// logLine is what a plugin said in one line of log.
type logLine struct {
	level   slog.Level
	message string
	attrs   []slog.Attr
}

// parseLogLine reads a line of standard error. Lines in hclog's JSON form keep their level and their keys in order;
// whatever else a plugin prints is a message at debug level. No line is an error.
func parseLogLine(line []byte) logLine {
	if l, ok := parseJSONLine(line); ok {
		return l
	}
	s := strings.ToValidUTF8(string(line), "�")
	l := logLine{level: slog.LevelDebug, message: s}
	if startsPanic(s) {
		l.level = slog.LevelError
	}
	return l
}

func parseJSONLine(line []byte) (logLine, bool) {
	if len(line) == 0 || line[0] != '{' {
		return logLine{}, false
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	if _, err := dec.Token(); err != nil {
		return logLine{}, false
	}
	l := logLine{level: slog.LevelDebug}
	isLog := false
	for dec.More() {
		key, value, err := nextPair(dec)
		if err != nil {
			return logLine{}, false
		}
		isLog = l.set(key, value) || isLog
	}
	// JSON without hclog's keys is somebody else's: it is shown as it is.
	if _, err := dec.Token(); err != nil || !isLog {
		return logLine{}, false
	}
	return l, true
}

func nextPair(dec *json.Decoder) (key string, value json.RawMessage, err error) {
	t, err := dec.Token()
	if err != nil {
		return "", nil, err
	}
	key, ok := t.(string)
	if !ok {
		return "", nil, fmt.Errorf("key of a log line is %T", t)
	}
	return key, value, dec.Decode(&value)
}

// set takes one pair over; it tells whether the key is one of hclog's own.
func (l *logLine) set(key string, value json.RawMessage) bool {
	switch key {
	case "@message":
		l.message = plainValue(value)
	case "@level":
		l.level = levelOf(plainValue(value))
	case "@timestamp", "@time", "@caller":
	case "@module":
		l.attrs = append(l.attrs, slog.String("module", plainValue(value)))
	default:
		l.attrs = append(l.attrs, slog.String(key, plainValue(value)))
		return false
	}
	return true
}

// plainValue gives the text of a JSON string, and any other value as it is written.
func plainValue(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	if len(raw) > logValueLimit {
		raw = raw[:logValueLimit]
	}
	return strings.ToValidUTF8(string(raw), "�")
}

func levelOf(s string) slog.Level {
	switch strings.ToLower(s) {
	case "info":
		return slog.LevelInfo
	case "warn", "warning":
		return slog.LevelWarn
	case "error":
		return slog.LevelError
	default:
		return slog.LevelDebug
	}
}

// logTo hands a plugin's line to log.
func logTo(log *slog.Logger, line []byte, dropped int, attrs ...slog.Attr) {
	ctx := context.Background()
	if !log.Enabled(ctx, slog.LevelError) {
		return
	}
	l := parseLogLine(line)
	if !log.Enabled(ctx, l.level) {
		return
	}
	r := slog.NewRecord(time.Now(), l.level, l.message, 0)
	r.AddAttrs(attrs...)
	r.AddAttrs(l.attrs...)
	if dropped > 0 {
		r.AddAttrs(slog.Int("dropped_bytes", dropped))
	}
	_ = log.Handler().Handle(ctx, r)
}
