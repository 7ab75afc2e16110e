package policy

// Explanation says what holds for an item and which layer said so.
type Explanation struct {
	// Version names the policy set.
	Version string
	// GameMode is what the item counts as, "" for none.
	GameMode string
	// Layers are those that hold, the most general first: "base", "base scene
	// <scene>", and layer ids such as "region/jp".
	Layers []string
	// Settings are all that hold, defaults too, in the order of their pointers.
	Settings []ExplainedSetting
	// Windows are the schedule's windows that are open, as "layer#index".
	Windows []string
}

// ExplainedSetting is one setting, its value and where it comes from.
type ExplainedSetting struct {
	// Pointer names the setting as in Settings: /categories/hate/strictness.
	Pointer string
	// Value is written as in JSON.
	Value string
	// Layer is what set it: a layer's id, "base", "default" for what nobody set, or
	// "mandatory" where a mandatory rule of the global layer keeps a looser value out.
	Layer string
	// Overridden are the layers below that had said otherwise, the most general first.
	Overridden []string
}
