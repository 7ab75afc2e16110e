package main

// modelsConfig says where models lie.
type modelsConfig struct {
	// Dir is the folder; "" is models below --data.
	Dir string `yaml:"dir"`
}
