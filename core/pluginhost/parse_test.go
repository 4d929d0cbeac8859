package pluginhost

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParseHandshake(t *testing.T) {
	tests := []struct {
		line string
		want handshake
		ok   bool
	}{
		{"1|1|unix|/tmp/s|grpc", handshake{1, 1, "unix", "/tmp/s", "grpc"}, true},
		{" 1|1|unix|/tmp/s|grpc|\r", handshake{1, 1, "unix", "/tmp/s", "grpc"}, true},
		{"1|2|tcp|127.0.0.1:1|grpc|cert|true", handshake{1, 2, "tcp", "127.0.0.1:1", "grpc"}, true},
		{"1|1|unix|/tmp/s", handshake{1, 1, "unix", "/tmp/s", "netrpc"}, true},
		{"", handshake{}, false},
		{"1|1|unix", handshake{}, false},
		{"1|1|unix|", handshake{}, false},
		{"1|1|udp|x|grpc", handshake{}, false},
		{"1|-1|unix|x|grpc", handshake{}, false},
		{"1|1|unix|x|grpc|c|true|more", handshake{}, false},
		{"99999999999|1|unix|x|grpc", handshake{}, false},
		{"a|b|c|d", handshake{}, false},
	}
	for _, tt := range tests {
		got, ok := parseHandshake(tt.line)
		if ok != tt.ok || (ok && got != tt.want) {
			t.Errorf("%q: got %+v, %t", tt.line, got, ok)
		}
	}
}

func FuzzHandshake(f *testing.F) {
	for _, s := range []string{
		"1|1|unix|/tmp/plugin1|grpc", "1|1|unix|/tmp/p|grpc||true", "1|7|tcp|127.0.0.1:1234|netrpc", "|||", "1|1|unix||grpc", "\xff|1|unix|x",
		"hello", "000000001|1|unix|x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		h, ok := parseHandshake(line)
		if !ok {
			return
		}
		if h.core < 0 || h.app < 0 || h.address == "" || (h.network != "unix" && h.network != "tcp") {
			t.Errorf("%q: got %+v", line, h)
		}
		if e := h.check("v1"); e != nil && strings.ContainsAny(e.Error(), "\n\r") {
			t.Errorf("%q: error has several lines: %q", line, e.Error())
		}
	})
}

func TestParseLogLine(t *testing.T) {
	tests := []struct {
		line    string
		level   slog.Level
		message string
		attrs   string
	}{
		{`{"@level":"warn","@message":"hot","@timestamp":"2026","z":1,"a":"b"}`, slog.LevelWarn, "hot", "z=1 a=b"},
		{`{"@level":"error","@message":{"no":"string"},"@module":"m"}`, slog.LevelError, `{"no":"string"}`, "module=m"},
		{`{"@message":null,"@level":[]}`, slog.LevelDebug, "", ""},
		{`{"msg":"not hclog"}`, slog.LevelDebug, `{"msg":"not hclog"}`, ""},
		{`{"@message":"cut off`, slog.LevelDebug, `{"@message":"cut off`, ""},
		{`plain`, slog.LevelDebug, "plain", ""},
		{`panic: oh`, slog.LevelError, "panic: oh", ""},
		{"bad \xff text", slog.LevelDebug, "bad � text", ""},
	}
	for _, tt := range tests {
		l := parseLogLine([]byte(tt.line))
		var attrs []string
		for _, a := range l.attrs {
			attrs = append(attrs, a.String())
		}
		if l.level != tt.level || l.message != tt.message || strings.Join(attrs, " ") != tt.attrs {
			t.Errorf("%s: got %v %q %v", tt.line, l.level, l.message, attrs)
		}
	}
}

func FuzzLogLine(f *testing.F) {
	for _, s := range []string{
		`{"@level":"info","@message":"m","k":[1,{"a":null}]}`, `{"@message":{"a":1}}`, `{"@message":7,"@level":{}}`, `{`, `{}`, `[]`, `null`,
		"plain\x1b[31m", "\xff\xfe", `{"@message":"a","@message":"b"}`, `{"@level":"warn","@message":"\ud800"}`,
	} {
		f.Add([]byte(s))
	}
	log := slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelDebug}))
	f.Fuzz(func(t *testing.T, line []byte) {
		l := parseLogLine(line)
		if !utf8.ValidString(l.message) {
			t.Errorf("%q: message is not UTF-8: %q", line, l.message)
		}
		logTo(log, line, 0)
		var tail stderrTail
		tail.add(line)
		head, lines := tail.snapshot()
		if s := (&CrashError{Panic: head, StderrTail: lines}).Error(); strings.ContainsAny(s, "\n\r\x1b") {
			t.Errorf("%q: error is not one plain line: %q", line, s)
		}
	})
}

func TestLinesOfAnyLength(t *testing.T) {
	type seen struct {
		Line    string
		Dropped int
	}
	long := strings.Repeat("l", lineLimit+5)
	input := "a\r\n\n" + long + "\nlast"
	want := []seen{{"a", 0}, {"", 0}, {long[:lineLimit], 5}, {"last", 0}}
	// The pieces in which a stream arrives must not matter.
	for _, size := range []int{1, 7, 1 << 20} {
		var got []seen
		copyLines(&piecewise{data: []byte(input), size: size}, func(line []byte, dropped int) {
			got = append(got, seen{string(line), dropped})
		})
		if diff := cmp.Diff(got, want); diff != "" {
			t.Errorf("pieces of %d: %s", size, diff)
		}
	}
}

type piecewise struct {
	data []byte
	size int
}

func (p *piecewise) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(p.size, len(b))], p.data)
	p.data = p.data[n:]
	return n, nil
}

func TestTailIsBoundedAndKeepsTheHeadOfAPanic(t *testing.T) {
	var tail stderrTail
	tail.add([]byte("panic: the reason"))
	for range 1000 {
		tail.add(bytes.Repeat([]byte("goroutine "), 300))
	}
	head, lines := tail.snapshot()
	total := 0
	for _, l := range lines {
		total += len(l)
	}
	if len(lines) == 0 || len(lines) > tailLines || total > tailBytes {
		t.Errorf("kept %d lines, %d bytes", len(lines), total)
	}
	if len(head) != panicLines || head[0] != "panic: the reason" {
		t.Errorf("kept %d lines of the panic", len(head))
	}
}

func TestErrorsAreOneBoundedLine(t *testing.T) {
	nasty := "\x1b[2Jred\nnext\u202eline" + strings.Repeat("é", 1000)
	for _, err := range []error{
		&StartError{Plugin: "p", Detail: nasty, StderrTail: []string{nasty}},
		&CrashError{Plugin: "p", Method: "M", Panic: []string{nasty}},
		&CallError{Plugin: "p", Method: "M", Detail: nasty},
	} {
		s := err.Error()
		if strings.ContainsAny(s, "\n\x1b\u202e") || len(s) > 1000 || !utf8.ValidString(s) {
			t.Errorf("%T: %q", err, s)
		}
	}
}
