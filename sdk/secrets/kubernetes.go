package secrets

import (
	"strings"
)

var (
	secretKind   = lazy(`(?m)^(?:\s*-\s)?\s*kind:\s*["']?Secret["']?\s*$`)
	secretData   = lazy(`(?m)^([ \t]*)(?:data|stringData):[ \t]*\r?\n`)
	dataLine     = lazy(`^([ \t]*)["']?[\w./-]+["']?:[ \t]*["']?([^"'\r\n]*?)["']?[ \t]*\r?$`)
	secretObject = lazy(`"kind"\s*:\s*"Secret"`)
	dataObject   = lazy(`"(?:data|stringData)"\s*:\s*\{([^{}]*)\}`)
	dataPair     = lazy(`"[^"\n]+"\s*:\s*"([^"\n]+)"`)
)

// formatSpans finds what the kind of a document makes secret, whatever its keys are called: the data of a Kubernetes Secret.
func formatSpans(spans []Span, text string) []Span {
	if !strings.Contains(text, "Secret") {
		return spans
	}
	from := 0
	for _, doc := range strings.SplitAfter(text, "\n---") {
		if secretKind.MatchString(doc) {
			spans = secretDocument(spans, doc, from)
		}
		from += len(doc)
	}
	if secretObject.MatchString(text) {
		for _, m := range dataObject.FindAllStringSubmatchIndex(text, -1) {
			for _, v := range dataPair.FindAllStringSubmatchIndex(text[m[2]:m[3]], -1) {
				spans = dataSpan(spans, text, m[2]+v[2], m[2]+v[3])
			}
		}
	}
	return spans
}

// secretDocument takes the values of the blocks data and stringData of doc, which begins at from in the text: what is
// indented deeper than the block's name, until something is not.
func secretDocument(spans []Span, doc string, from int) []Span {
	for _, m := range secretData.FindAllStringSubmatchIndex(doc, -1) {
		indent := m[3] - m[2]
		block := false // inside the lines of a value written below its key
		for at := m[1]; at < len(doc); {
			end := len(doc)
			if i := strings.IndexByte(doc[at:], '\n'); i >= 0 {
				end = at + i
			}
			line := doc[at:end]
			text := strings.TrimSpace(line)
			deep := len(line) - len(strings.TrimLeft(line, " \t"))
			if text != "" && deep <= indent {
				break
			}
			v := dataLine.FindStringSubmatchIndex(line)
			switch {
			case v != nil && strings.TrimLeft(line[v[4]:v[5]], "|>+-") == "":
				block = v[5] > v[4]
			case v != nil:
				block = false
				spans = shifted(dataSpan(nil, doc, at+v[4], at+v[5]), from, spans)
			case block && text != "":
				i := at + strings.Index(line, text)
				spans = shifted(dataSpan(nil, doc, i, i+len(text)), from, spans)
			}
			at = end + 1
		}
	}
	return spans
}

func dataSpan(spans []Span, text string, start, end int) []Span {
	if v := text[start:end]; v == "" || !credential("", v) || isWord(v) && len(v) < 6 {
		return spans
	}
	return append(spans, Span{start, end, "kubernetes-secret"})
}

// shifted appends to spans those of a part of the text that begins at from.
func shifted(part []Span, from int, spans []Span) []Span {
	for _, s := range part {
		spans = append(spans, Span{s.Start + from, s.End + from, s.Rule})
	}
	return spans
}
