// Package pluginv1 is the wire contract between the repox host and its plugins: the generated form of repox_plugin.proto
// (services, tags) and repox_model.proto (the sections that flow between stages). Authors of plugins in Go start with the
// package sdk, which hides it.
package pluginv1

//go:generate go -C ../../tools run ./protogen -C ../sdk/proto
