package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// buildPolicies builds the keeper of policies over those of the configuration, and
// reads what the apps have of their own.
func (a *app) buildPolicies(ctx context.Context) error {
	layers, words, err := readPolicies(policyFiles(a.cfg.Policy.Dir))
	if err != nil {
		return err
	}
	body, err := baseBody(&a.cfg.Policy)
	if err != nil {
		return err
	}
	source := policies.SourceBuilt
	if a.cfg.Policy.Dir != "" {
		source = policies.SourceFile
	}
	a.policies, err = policies.New(policies.Deps{
		Store: a.db, Base: a.cfg.Policy, BaseBody: body, Built: layers, BuiltSource: source, Words: words,
		Inspect: a.inspect, Reword: a.reword, Tell: a.tellPolicies, Stopped: a.rolloutStopped, Log: a.log,
	})
	if err != nil {
		return err
	}
	return a.policies.Load(ctx)
}

// baseBody is the part policy of the configuration as JSON, which the console shows.
func baseBody(c *policy.Config) (string, error) {
	text, err := yaml.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("policy: %w", err)
	}
	var tree map[string]any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return "", fmt.Errorf("policy: %w", err)
	}
	delete(tree, "dir") // a path of this machine
	maps.DeleteFunc(tree, func(_ string, v any) bool { return empty(v) })
	body, err := json.Marshal(tree)
	return string(body), err
}

// empty reports whether a setting says nothing.
func empty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, v any) bool { return empty(v) })
		return len(v) == 0
	case []any:
		for _, one := range v {
			_ = empty(one)
		}
		return len(v) == 0
	}
	return v == nil || v == "" || v == 0 || v == 0.0
}

// inspect has the engines look at an item outside the desk, for trials.
func (a *app) inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, []engines.Fault) {
	if item.Kind != engines.KindText && item.Kind != engines.KindName {
		return out, []engines.Fault{{Engine: string(item.Kind), Reason: engines.ReasonFailed}}
	}
	found, fault := a.pool.Inspect(ctx, item, out)
	if fault != nil {
		return found, []engines.Fault{*fault}
	}
	return found, nil
}

// reword makes signals of a text those of other words.
func (a *app) reword(ctx context.Context, item *engines.Item, signals []engines.Signal) ([]engines.Signal, error) {
	return a.explain.engine.Reword(ctx, item, signals)
}

// inForce is the keeper as the desk asks it.
type inForce struct{ *policies.Keeper }

// Resolve implements review.Policies.
func (p inForce) Resolve(item *engines.Item) (*policy.Resolved, review.Trial) {
	r, arm := p.Keeper.Resolve(item)
	if arm == nil {
		return r, nil // not a nil pointer in an interface
	}
	return r, arm
}

// policiesNotice is a note on the feed's channel, as rulesNotice is: a policy has changed.
const policiesNotice = "policies"

func (a *app) tellPolicies() { a.behind.Feed([]byte(policiesNotice + "\n" + a.node)) }

// heardPolicies takes such a note; false for any other.
func (a *app) heardPolicies(payload []byte) bool {
	notice, node, _ := strings.Cut(string(payload), "\n")
	if notice != policiesNotice {
		return false
	}
	if node != a.node {
		a.policies.Told()
	}
	return true
}

// rolloutStopped tells moderators that a rollout has stopped by itself, and has
// webhooks sent.
func (a *app) rolloutStopped(r *store.Rollout) {
	a.feed.rollout(r)
	a.hooks.Wake()
}
