package store

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// App is one registered game.
type App struct {
	ID      engines.AppID
	Created time.Time
}
