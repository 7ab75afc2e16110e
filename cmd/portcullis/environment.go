package main

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// fromEnvironment sets what PORTCULLIS_… names: the key's path in capitals,
// joined by underscores (PORTCULLIS_HTTP_LISTEN is http.listen). Lists and maps
// stay with the file, but for lists of words, which are divided by commas.
// Names that are no key are let by: others (Kubernetes among them) make such.
func fromEnvironment(c *config, environ []string) error {
	set := map[string]string{}
	for _, e := range environ {
		if k, v, ok := strings.Cut(e, "="); ok && strings.HasPrefix(k, "PORTCULLIS_") {
			set[k] = v
		}
	}
	return override(reflect.ValueOf(c).Elem(), "PORTCULLIS", "", set)
}

func override(v reflect.Value, name, key string, set map[string]string) error {
	var errs []error
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag.Get("yaml")
		if tag == "" || tag == "-" {
			continue
		}
		path, env := strings.TrimPrefix(key+"."+tag, "."), name+"_"+strings.ToUpper(tag)
		if v.Field(i).Kind() == reflect.Struct {
			errs = append(errs, override(v.Field(i), env, path, set))
			continue
		}
		if text, ok := set[env]; ok {
			if err := assign(v.Field(i), text); err != nil {
				errs = append(errs, fmt.Errorf("%s (%s): %w", path, env, err))
			}
		}
	}
	return errors.Join(errs...)
}

func assign(v reflect.Value, text string) error {
	switch {
	case v.Type() == reflect.TypeFor[time.Duration]():
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a duration such as 10s", text)
		}
		v.SetInt(int64(d))
	case v.Kind() == reflect.String:
		v.SetString(text)
	case v.Kind() == reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is not true or false", text)
		}
		v.SetBool(b)
	case v.CanInt():
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("%q is not a whole number", text)
		}
		v.SetInt(n)
	case v.CanFloat():
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
		v.SetFloat(f)
	case v.Type() == reflect.TypeFor[[]string]():
		v.Set(reflect.ValueOf(words(text)))
	default:
		return errors.New("can be set in the file alone")
	}
	return nil
}

// words divides a list at its commas; an empty text is an empty list.
func words(text string) []string {
	list := []string{}
	for w := range strings.SplitSeq(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			list = append(list, w)
		}
	}
	return list
}
