module github.com/portcullis-gg/portcullis/peers/goaway

go 1.26

require github.com/TwiN/go-away v1.6.13

require golang.org/x/text v0.14.0 // indirect
