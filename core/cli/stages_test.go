package cli

import (
	"strings"
	"testing"

	"github.com/repox-dev/repox/core/pipeline"
)

func TestOnlyCleanTextIsRemembered(t *testing.T) {
	for _, tt := range []struct {
		outputs string
		clean   bool
		want    bool
	}{
		{"documents", true, true},
		{"documents", false, false},
		{"selection findings", true, true},
		{"selection findings", false, false},
		{"graph findings", false, true},
		{"ranking", false, true},
	} {
		step := &pipeline.Step{Outputs: strings.Fields(tt.outputs), Clean: tt.clean}
		if got := remember(step); got != tt.want {
			t.Errorf("%s, clean %v: remembered %v, want %v", tt.outputs, tt.clean, got, tt.want)
		}
	}
}
