package pipeline

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// stageOf makes a stage from words: "x" is consumed, "x?" if it is there, "x!" only if it is clean.
func stageOf(name, consumes, produces string, cleans bool) *pluginv1.Component {
	info := &pluginv1.StageInfo{Cleans: cleans, Produces: uses(strings.Fields(produces)...)}
	for word := range strings.FieldsSeq(consumes) {
		info.Consumes = append(info.Consumes, &pluginv1.SectionUse{
			Section: strings.TrimRight(word, "?!"), Optional: strings.Contains(word, "?"), Clean: strings.Contains(word, "!"),
		})
	}
	return &pluginv1.Component{Name: name, Version: "1", Stage: info}
}

// loadStages plans a chain of stages, each of which is also a component of its own.
func loadStages(t *testing.T, more string, stages ...*pluginv1.Component) (*Pipeline, string) {
	t.Helper()
	known := map[string]bool{}
	components := []*pluginv1.Component{{Name: "lang-go", Version: "1", Pack: &pluginv1.PackInfo{Languages: []*pluginv1.Language{{Name: "go"}}}}}
	var names []string
	for _, s := range stages {
		names = append(names, s.Name)
		if !known[s.Name] {
			known[s.Name] = true
			components = append(components, s)
		}
	}
	text := "version: 1\nlanguages: [go]\nstages: [" + strings.Join(names, ", ") + "]\n" + more
	p, l := Load(context.Background(), Options{File: "pipeline.yaml", Data: []byte(text), Catalog: NewCatalog(components, nil)})
	return p, rendered(t, l)
}

// The usual stages.
var (
	extract = stageOf("extract", "files tags", "graph findings", false)
	rank    = stageOf("rank", "files graph", "ranking selection", false)
	redact  = stageOf("redact", "selection? findings? survey?", "selection findings survey", true)
	report  = stageOf("report", "selection! findings?!", "documents", false)
)

func TestWaves(t *testing.T) {
	filter := stageOf("filter", "selection", "selection", false)
	survey := stageOf("survey", "files content", "survey", false)
	count := stageOf("count", "selection!", "findings", false)
	tests := []struct {
		name   string
		stages []*pluginv1.Component
		waves  []int
	}{
		{"the usual chain", []*pluginv1.Component{extract, rank, redact, report}, []int{1, 2, 3, 4}},
		{"what needs only the host starts at once", []*pluginv1.Component{extract, rank, survey, redact, report}, []int{1, 2, 1, 3, 4}},
		{"reports run side by side", []*pluginv1.Component{extract, rank, redact, report, report, report}, []int{1, 2, 3, 4, 4, 4}},
		{"a transformer stands between", []*pluginv1.Component{extract, rank, filter, filter, redact, report}, []int{1, 2, 3, 4, 5, 6}},
		{"appended sections are waited for", []*pluginv1.Component{extract, rank, redact, count, report}, []int{1, 2, 3, 4, 5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, out := loadStages(t, "", tt.stages...)
			if p == nil {
				t.Fatal(out)
			}
			var got []int
			for _, s := range p.Plan.Steps {
				got = append(got, s.Wave)
			}
			if diff := cmp.Diff(tt.waves, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSectionsComeFromTheirLastProducer(t *testing.T) {
	filter := stageOf("filter", "selection", "selection", false)
	count := stageOf("count", "selection!", "findings", false)
	p, out := loadStages(t, "", extract, rank, filter, redact, count, report)
	if p == nil {
		t.Fatal(out)
	}
	want := []Input{
		{Section: "selection", From: []int{3}, Clean: true},
		{Section: "findings", From: []int{3, 4}, Clean: true},
	}
	if diff := cmp.Diff(want, p.Plan.Steps[5].Inputs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{5}, p.Plan.Documents); diff != "" {
		t.Error(diff)
	}
}

func TestCleanliness(t *testing.T) {
	dirty := stageOf("dirty", "files", "findings", false)
	mixed := stageOf("mixed", "selection files", "selection", false)
	sum := stageOf("sum", "selection", "survey", false)
	leak := stageOf("leak", "selection! files", "documents", false)
	noise := stageOf("noise", "", "documents", false)
	wrap := stageOf("wrap", "documents", "documents", false)
	scrub := stageOf("scrub", "documents", "documents", true)
	raw := stageOf("raw", "selection", "documents", false)
	overview := stageOf("overview", "survey!", "documents", false)
	chain := func(s ...*pluginv1.Component) []*pluginv1.Component { return s }
	tests := []struct {
		name   string
		stages []*pluginv1.Component
		refuse string
	}{
		{"redacted text may leave", chain(extract, rank, redact, report), ""},
		{"nothing redacts", chain(extract, rank, report), `3:25: error: report needs "selection" redacted, and nothing has redacted it since rank; put redact before it`},
		{"findings made after redaction", chain(extract, rank, redact, dirty, report), `report needs "findings" redacted, and nothing has redacted it since dirty`},
		{"a transformer brings in unclean text", chain(extract, rank, redact, mixed, report), `report needs "selection" redacted, and nothing has redacted it since mixed`},
		{"a second redaction mends it", chain(extract, rank, redact, mixed, redact, report), ""},
		{"what is made of clean text is clean", chain(extract, rank, redact, sum, overview), ""},
		{"what is made of unclean text is not", chain(extract, rank, sum, overview), `overview needs "survey" redacted, and nothing has redacted it since sum`},
		{"a clean input does not excuse an unclean one", chain(extract, rank, redact, leak), `leak makes documents of text that nothing has redacted (files)`},
		{"documents of nothing", chain(noise), `noise makes documents of nothing that a redacting stage has passed`},
		{"clean documents stay clean", chain(extract, rank, redact, report, wrap), ""},
		{"documents must be clean when they are made", chain(extract, rank, raw, scrub), `raw makes documents of text that nothing has redacted (selection)`},
		{"one of two reports is unclean", chain(extract, rank, raw, redact, report), `3:25: error: raw makes documents of text that nothing has redacted`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, out := loadStages(t, "", tt.stages...)
			switch {
			case tt.refuse == "" && p == nil:
				t.Errorf("it is refused:\n%s", out)
			case tt.refuse != "" && !strings.Contains(out, tt.refuse):
				t.Errorf("want %s, got\n%s", tt.refuse, out)
			case p != nil:
				for _, i := range p.Plan.Documents {
					if !p.Plan.Steps[i].Clean {
						t.Errorf("the documents of %s are unclean", p.Stages[i].Use)
					}
				}
			}
			if p, out := loadStages(t, "allow_unredacted: true\n", tt.stages...); p == nil || !strings.Contains(out, "warning: allow_unredacted") {
				t.Errorf("allow_unredacted does not allow it:\n%s", out)
			}
		})
	}
}

func TestUselessStagesAreTold(t *testing.T) {
	first := stageOf("first", "files", "survey", false)
	second := stageOf("second", "survey", "survey", false)
	p, out := loadStages(t, "", extract, rank, stageOf("redact", "selection? findings?", "selection findings", true), report, first, second)
	if p == nil {
		t.Fatal(out)
	}
	for _, name := range []string{"first", "second"} {
		if !strings.Contains(out, "warning: no document is made of what "+name+" produces, so it will not run") {
			t.Errorf("nothing is said of %s:\n%s", name, out)
		}
	}
}

func TestWhatATransformerNeedsIsNotMadeByIt(t *testing.T) {
	filter := stageOf("filter", "selection", "selection", false)
	_, out := loadStages(t, "", extract, filter, redact, report)
	if want := `filter needs the section "selection", which nothing before it produces`; !strings.Contains(out, want) {
		t.Errorf("want %s, got\n%s", want, out)
	}
}

func TestSectionsThatNobodyKnows(t *testing.T) {
	for _, stage := range []*pluginv1.Component{
		stageOf("odd", "horoscope?", "findings", false), stageOf("odd", "files", "horoscope", false),
	} {
		_, out := loadStages(t, "", extract, rank, stage, redact, report)
		if !strings.Contains(out, `the section "horoscope", which this program does not know`) {
			t.Errorf("got\n%s", out)
		}
	}
}

// TestTheHostsSectionsAreItsOwn refuses a stage that would replace what the program itself gives.
func TestTheHostsSectionsAreItsOwn(t *testing.T) {
	_, out := loadStages(t, "", stageOf("forge", "files", "content", false), extract, rank, redact, report)
	if !strings.Contains(out, `forge produces the section "content", which comes from the program itself`) {
		t.Errorf("got\n%s", out)
	}
}

// TestTheChainIsJudgedBesideOtherMistakes: all mistakes are told at once.
func TestTheChainIsJudgedBesideOtherMistakes(t *testing.T) {
	_, l := loadText("version: 1\nlanguages: [g]\nverfy: off\nstages: [extract, rank, {use: report, with: {budgt: 1}}, redact]\n")
	out := rendered(t, l)
	for _, want := range []string{`unknown key "verfy"`, `unknown option "budgt"`, `unknown language pack "g"`, `report needs "selection" redacted`} {
		if !strings.Contains(out, want) {
			t.Errorf("nothing is said of %s:\n%s", want, out)
		}
	}
	if strings.Contains(out, "tags") {
		t.Errorf("a pack that is not known yet would give tags:\n%s", out)
	}
}

func TestThePlanIsTheSameEveryTime(t *testing.T) {
	text := "version: 1\nlanguages: [go]\nstages: [extract, survey, rank, redact, report, {use: report, with: {format: json}}]\n"
	var first bytes.Buffer
	if err := mustLoad(t, text).WritePlan(&first); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		var again bytes.Buffer
		if err := mustLoad(t, text).WritePlan(&again); err != nil {
			t.Fatal(err)
		}
		if first.String() != again.String() {
			t.Fatalf("two plans:\n%s\n%s", first.String(), again.String())
		}
	}
}

func TestThePlanIsSafeForATerminal(t *testing.T) {
	p := mustLoad(t, "version: 1\nextends: map\nsource: {path: \"a\\x1b[31m\\nb\"}\n")
	var b bytes.Buffer
	if err := p.WritePlan(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\x1b") || strings.Count(b.String(), "\n") != 7 {
		t.Errorf("got %q", b.String())
	}
}
