package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// users manages moderators.
func users(ctx context.Context, args []string, io std) error {
	verbs := map[string]func(context.Context, *sqlstore.Store, userFlags, std) error{"create": createUser, "list": listUsers}
	if len(args) == 0 || verbs[args[0]] == nil {
		return badUsage("users create|list --data DIR")
	}
	f := newFlags("users "+args[0], io)
	var u userFlags
	place := storeFlags(f)
	f.StringVar(&u.name, "name", "", "the user's name")
	f.StringVar(&u.role, "role", "moderator", "viewer, moderator, senior, admin or auditor")
	f.BoolVar(&u.stdin, "password-stdin", false, "read the password from standard input")
	f.BoolVar(&u.json, "json", false, "print JSON")
	if err := parse(f, args[1:]); err != nil {
		return err
	}
	db, err := place.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(verbs[args[0]](ctx, db, u, io), db.Close())
}

type userFlags struct {
	name, role  string
	stdin, json bool
}

func createUser(ctx context.Context, db *sqlstore.Store, u userFlags, io std) error {
	name, err := auth.UserName(u.name)
	if err != nil {
		return badUsage("--name: %v", err)
	}
	role, err := auth.ParseRole(u.role)
	if err != nil {
		return badUsage("--role: %v", err)
	}
	password, err := readPassword(io, u.stdin)
	if err != nil {
		return err
	}
	if err := auth.CheckPassword(name, password); err != nil {
		return fmt.Errorf("password: %w", err)
	}
	hash, err := auth.HashPassword(ctx, password)
	if err != nil {
		return err
	}
	err = db.CreateUser(ctx, store.User{Name: name, PasswordHash: hash, Role: string(role), Created: time.Now()}, cliActor())
	if errors.Is(err, store.ErrExists) {
		return fmt.Errorf("user %s exists already", name)
	}
	if err != nil {
		return err
	}
	if u.json {
		return printJSON(io, map[string]string{"name": name, "role": string(role)})
	}
	io.say("user %s (%s) created\n", name, role)
	return nil
}

// readPassword reads a line of standard input, or asks at a terminal.
func readPassword(s std, stdin bool) (string, error) {
	if stdin {
		line, err := bufio.NewReader(s.in).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("password: %w", err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	file, ok := s.in.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return "", badUsage("no terminal to ask at: use --password-stdin")
	}
	s.note("Password: ")
	text, err := term.ReadPassword(int(file.Fd()))
	s.note("\n")
	if err != nil {
		return "", fmt.Errorf("password: %w", err)
	}
	return string(text), nil
}

func listUsers(ctx context.Context, db *sqlstore.Store, u userFlags, io std) error {
	list, err := db.Users(ctx)
	if err != nil {
		return err
	}
	type row struct {
		Name     string    `json:"name"`
		Role     string    `json:"role"`
		Disabled bool      `json:"disabled"`
		Created  time.Time `json:"created_at"`
	}
	rows := []row{}
	for _, m := range list {
		rows = append(rows, row{m.Name, m.Role, m.Disabled, m.Created.UTC()})
	}
	if u.json {
		return printJSON(io, rows)
	}
	for _, r := range rows {
		io.say("%-32s %s\n", r.Name, r.Role)
	}
	return nil
}
