package pluginhost

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// supportedVersions are the versions of the wire contract that this host speaks, oldest first.
var supportedVersions = []int{pluginv1.ProtocolVersion}

// coreProtocol is the version of go-plugin's handshake itself.
const coreProtocol = 1

// handshake is the line with which a plugin says where it listens: core|app|network|address|protocol[|cert[|mux]].
type handshake struct {
	core     int
	app      int
	network  string
	address  string
	protocol string
}

// parseHandshake reads a line of standard output; ok tells whether it is a handshake at all.
func parseHandshake(line string) (h handshake, ok bool) {
	parts := strings.Split(strings.TrimSpace(line), "|")
	if len(parts) < 4 || len(parts) > 7 {
		return handshake{}, false
	}
	var coreOK, appOK bool
	h.core, coreOK = parseVersion(parts[0])
	h.app, appOK = parseVersion(parts[1])
	h.network, h.address = parts[2], parts[3]
	if !coreOK || !appOK || h.address == "" || (h.network != "unix" && h.network != "tcp") {
		return handshake{}, false
	}
	// go-plugin took a missing field for its first protocol, from before gRPC.
	h.protocol = "netrpc"
	if len(parts) > 4 {
		h.protocol = parts[4]
	}
	return h, true
}

func parseVersion(s string) (int, bool) {
	if len(s) == 0 || len(s) > 9 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// check refuses a handshake that this host cannot follow. The result holds the reason, the detail and what to do.
func (h handshake) check(hostVersion string) *StartError {
	if h.core != coreProtocol {
		return &StartError{
			Reason: ProtocolVersion,
			Detail: fmt.Sprintf("its handshake has version %d, repox speaks %d", h.core, coreProtocol),
			Next:   upgradeAdvice(h.core > coreProtocol),
		}
	}
	if !slices.Contains(supportedVersions, h.app) {
		return &StartError{
			Reason: ProtocolVersion,
			Detail: fmt.Sprintf("it speaks protocol %d, repox %sspeaks %s", h.app, spaced(hostVersion), versionList()),
			Next:   upgradeAdvice(h.app > supportedVersions[len(supportedVersions)-1]),
		}
	}
	if h.protocol != "grpc" {
		return &StartError{Reason: Transport, Detail: fmt.Sprintf("it offers %q", h.protocol), Next: "ask its author for a build that serves gRPC"}
	}
	if h.network != privateNetwork {
		return &StartError{
			Reason: Transport, Detail: fmt.Sprintf("it listens on %s %s", h.network, h.address),
			Next: "ask its author for a build that listens on a " + privateNetwork + " socket",
		}
	}
	return nil
}

func upgradeAdvice(pluginIsNewer bool) string {
	if pluginIsNewer {
		return "upgrade repox"
	}
	return "upgrade the plugin"
}

func versionList() string {
	s := make([]string, len(supportedVersions))
	for i, v := range supportedVersions {
		s[i] = strconv.Itoa(v)
	}
	return strings.Join(s, ", ")
}

func spaced(s string) string {
	if s == "" {
		return ""
	}
	return s + " "
}
