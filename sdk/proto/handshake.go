package pluginv1

// What both sides must agree on before they can speak; see docs/protocol.md.
const (
	// CookieKey and CookieValue are the environment variable that tells a plugin that a host has started it.
	CookieKey   = "REPOX_PLUGIN"
	CookieValue = "repox.plugin.v1"
	// ProtocolVersion is the version of this contract. Hosts and plugins offer the versions they know and take the
	// newest that both do.
	ProtocolVersion = 1
	// SetName is the one entry of go-plugin's plugin set.
	SetName = "repox"
	// MessageLimit bounds a message in bytes, at both ends.
	MessageLimit = 16 << 20
	// ChunkSize is how many bytes of a section go into one message.
	ChunkSize = 1 << 20
)
