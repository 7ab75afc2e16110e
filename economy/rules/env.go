package rules

// What a condition may name. The maps and functions have types and no values: the
// compiler puts a slot in the place of each use of them, see slots.go.

// playerEnv is what a rule on players sees.
type playerEnv struct {
	Player subject   `expr:"player"`
	Slots  []float64 `expr:"slots__"`
}

// tradeEnv is what a rule on trades sees.
type tradeEnv struct {
	Trade    trade     `expr:"trade"`
	Sender   subject   `expr:"sender"`
	Receiver subject   `expr:"receiver"`
	Slots    []float64 `expr:"slots__"`
}

// subject is a player.
type subject struct {
	Score      int     `expr:"score"`
	AccountAge float64 `expr:"account_age_days"`
	ActiveDays int     `expr:"active_days"`
	Partners   int     `expr:"partners"`
	Givers     int     `expr:"givers"`
	Takers     int     `expr:"takers"`
	Shared     int     `expr:"shared_devices"`
	Got        float64 `expr:"got"`
	Gave       float64 `expr:"gave"`
	FreeGot    float64 `expr:"free_got"`
	FreeGave   float64 `expr:"free_gave"`

	Factors map[string]float64 `expr:"factors"`

	Earned   func(currency, window string, source ...string) float64 `expr:"earned"`
	Spent    func(currency, window string, source ...string) float64 `expr:"spent"`
	ItemsIn  func(window string, source ...string) float64           `expr:"items_in"`
	ItemsOut func(window string, source ...string) float64           `expr:"items_out"`
	Entries  func(window string, source ...string) float64           `expr:"entries"`
	Trades   func(window string) float64                             `expr:"trades"`
}

// trade is a trade about to happen. Amounts are no whole numbers, so that none wraps
// where a condition multiplies it.
type trade struct {
	Type           string  `expr:"type"`
	Currency       string  `expr:"currency"`
	Money          float64 `expr:"money"`
	ReturnCurrency string  `expr:"return_currency"`
	ReturnMoney    float64 `expr:"return_money"`
	Stacks         int     `expr:"stacks"`
	Pieces         float64 `expr:"pieces"`
	ReturnStacks   int     `expr:"return_stacks"`
	ReturnPieces   float64 `expr:"return_pieces"`
	Score          int     `expr:"score"`

	Items       map[string]float64 `expr:"items"`
	ReturnItems map[string]float64 `expr:"return_items"`
	Reasons     map[string]float64 `expr:"reasons"`
}
