module github.com/pion/opus

go 1.24.0
