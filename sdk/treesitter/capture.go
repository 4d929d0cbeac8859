package treesitter

import "strings"

// meaning is what a capture says about the node it is on.
type meaning uint8

const (
	meansNothing meaning = iota
	meansName
	meansDefinition
	meansReference
	meansContainer
	meansScope
	meansBody
	meansDoc
	meansQualifier
	meansImport
	meansModule
	meansAlias
	meansImportName
	meansPackage
	meansSelf
	meansLocal
	meansType
	meansValue
	meansHolder
	meansFirst
	meansMember
	meansBase
	meansOwner
	meansTuple
	meansElement
	meansResult
	meansProperty
)

// captureInfo is a capture of a query by its number.
type captureInfo struct {
	name    string
	meaning meaning
	// word is the kind of a definition or the role of a reference.
	word string
}

var captureMeanings = map[string]meaning{
	"name":          meansName,
	"container":     meansContainer,
	"scope":         meansScope,
	"body":          meansBody,
	"doc":           meansDoc,
	"qualifier":     meansQualifier,
	"import":        meansImport,
	"import.module": meansModule,
	"import.local":  meansAlias,
	"import.name":   meansImportName,
	"package":       meansPackage,
	"self":          meansSelf,
	"local":         meansLocal,
	"type":          meansType,
	"value":         meansValue,
	"holder":        meansHolder,
	"first":         meansFirst,
	"member":        meansMember,
	"base":          meansBase,
	"owner":         meansOwner,
	"tuple":         meansTuple,
	"element":       meansElement,
	"result":        meansResult,
	"property":      meansProperty,
}

// roleOf maps the roles of published queries to the words of package tag.
var roleOf = map[string]string{
	"implementation": "implement",
	"class":          "type",
}

func describeCapture(name string) captureInfo {
	info := captureInfo{name: name, meaning: captureMeanings[name]}
	if kind, ok := strings.CutPrefix(name, "definition."); ok {
		info.meaning, info.word = meansDefinition, kind
	}
	if role, ok := strings.CutPrefix(name, "reference."); ok {
		info.meaning, info.word = meansReference, role
		if r, ok := roleOf[role]; ok {
			info.word = r
		}
	}
	return info
}

// captureTable numbers captures by name.
type captureTable struct {
	infos []captureInfo
	index map[string]uint16
}

func (t *captureTable) number(name string) uint16 {
	if n, ok := t.index[name]; ok {
		return n
	}
	if t.index == nil {
		t.index = map[string]uint16{}
	}
	n := uint16(len(t.infos))
	t.index[name] = n
	t.infos = append(t.infos, describeCapture(name))
	return n
}
