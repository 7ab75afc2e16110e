package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// exhibit is an item of evidence with every field set.
func exhibit(id string, player engines.PlayerID, at time.Time) store.Evidence {
	text := "né\u0000\U0001F600'\";-- " + id
	sum := sha256.Sum256([]byte(text))
	return store.Evidence{
		ID: id, App: "game", Request: engines.RequestID("r-" + id), Case: "c1", Scene: "s1", Player: player, Kind: engines.KindText,
		MIME: "text/plain; charset=utf-8", SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(text)), Category: engines.Hate, SubLabel: "x<&>", Severity: 3,
		Suggestion: engines.Block, Created: at, Expires: at.Add(time.Hour), Content: []byte(text),
	}
}

func testEvidence(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	at := now()
	want := exhibit("e1", "p1", at)
	d := decision("r-e1")
	d.Evidence = &want
	must(t, s.PutDecision(ctx, d, nil, nil))
	must(t, s.PutDecision(ctx, d, nil, nil)) // again
	must(t, s.PutEvidence(ctx, exhibit("e2", "p2", at.Add(time.Second))))
	locked := exhibit("e3", "p1", at.Add(2*time.Second))
	locked.Locked, locked.Category = true, engines.Illegal
	must(t, s.PutEvidence(ctx, locked))

	got, err := s.Evidence(ctx, "e1")
	must(t, err)
	content := want.Content
	want.Content = nil
	want.HeadSeq, want.HeadHash = 1, got.HeadHash
	same(t, "evidence", got, want)
	text, err := s.EvidenceContent(ctx, "e1")
	must(t, err)
	same(t, "content", string(text), string(content))
	_, err = s.Evidence(ctx, "e9")
	wantErr(t, "no evidence", err, store.ErrNotFound)

	ids := func(q store.EvidenceQuery) (ids []string) {
		t.Helper()
		if q.Limit == 0 {
			q.Limit = 10
		}
		list, err := s.EvidenceList(ctx, q)
		must(t, err)
		for _, e := range list {
			ids = append(ids, e.ID)
		}
		return ids
	}
	same(t, "all", ids(store.EvidenceQuery{}), []string{"e3", "e2", "e1"})
	same(t, "of a player", ids(store.EvidenceQuery{App: "game", Player: "p1"}), []string{"e3", "e1"})
	same(t, "of a category", ids(store.EvidenceQuery{Category: engines.Illegal}), []string{"e3"})
	same(t, "locked", ids(store.EvidenceQuery{State: "locked"}), []string{"e3"})
	same(t, "of a check", ids(store.EvidenceQuery{App: "game", Request: "r-e2"}), []string{"e2"})
	same(t, "a page", ids(store.EvidenceQuery{Limit: 2}), []string{"e3", "e2"})
	same(t, "the next", ids(store.EvidenceQuery{Limit: 2, Before: at.Add(time.Second), ID: "e2"}), []string{"e1"})
}

// testEvidenceChain adds links from many sides at once, and damages them.
func testEvidenceChain(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	must(t, s.PutEvidence(ctx, exhibit("e1", "p1", now())))
	if _, errs := race(12, func(i int) error {
		return s.LinkEvidence(ctx, []string{"e1"}, fmt.Sprintf("mod%d", i), store.LinkRead, map[string]string{"a": "<é>"})
	}); errs != nil {
		t.Fatal(errs)
	}
	wantErr(t, "link to nothing", s.LinkEvidence(ctx, []string{"e1", "e9"}, "mod", store.LinkRead, nil), store.ErrNotFound)
	check := func(want error) {
		t.Helper()
		e, links, err := s.EvidenceLinks(ctx, "e1")
		must(t, err)
		if err := store.VerifyChain(e.SHA256, e.HeadHash, links); !errors.Is(err, want) {
			t.Errorf("chain of %d links: %v, want %v", len(links), err, want)
		}
		if want == nil && (len(links) != 13 || links[0].Action != store.LinkTaken || links[0].Prev != e.SHA256) {
			t.Errorf("%d links, the first %+v, want 13 that begin at the content", len(links), links[0])
		}
	}
	check(nil)
	must(t, s.VerifyAudit(ctx, "n1")) // each has its entry

	raw := p.Core(t)
	defer func() { must(t, raw.Close()) }()
	for _, damage := range []struct{ do, undo string }{
		{`UPDATE evidence_log SET actor = 'eve' WHERE seq = 5`, ""},
		{`DELETE FROM evidence_log WHERE seq = 13`, ""},
		{`UPDATE evidence SET severity = 1`, `UPDATE evidence SET severity = 3`},
		{`UPDATE evidence SET sha256 = 'ab'`, ""},
	} {
		_, err := raw.ExecContext(ctx, damage.do)
		must(t, err)
		check(store.ErrChainBroken)
		if damage.undo != "" {
			_, err = raw.ExecContext(ctx, damage.undo)
			must(t, err)
		}
	}
}

// testEvidenceHold: a hold beats retention, and what ran out meanwhile goes after it.
func testEvidenceHold(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	at := now().Add(-2 * time.Hour)
	for _, id := range []string{"free", "held", "forever"} {
		e := exhibit(id, "p1", at)
		if id == "forever" {
			e.Expires = time.Time{}
		}
		must(t, s.PutEvidence(ctx, e))
	}
	held, err := s.HoldEvidence(ctx, "held", "ana", "court order\u0000")
	must(t, err)
	if h := held.Hold; h == nil || h.By != "ana" || h.Reason != "court order\u0000" || h.Since.IsZero() {
		t.Errorf("hold %+v", h)
	}
	_, err = s.HoldEvidence(ctx, "held", "bob", "twice")
	wantErr(t, "held twice", err, store.ErrConflict)
	_, err = s.ReleaseEvidence(ctx, "free", "bob", "none")
	wantErr(t, "released without a hold", err, store.ErrConflict)
	_, err = s.HoldEvidence(ctx, "nothing", "bob", "x")
	wantErr(t, "hold on nothing", err, store.ErrNotFound)

	sweep := func(want int) {
		t.Helper()
		n, err := s.SweepEvidence(ctx, now())
		must(t, err)
		if n != want {
			t.Errorf("swept %d, want %d", n, want)
		}
	}
	sweep(1)
	sweep(0)
	_, err = s.EvidenceContent(ctx, "free")
	wantErr(t, "content past its retention", err, store.ErrNotFound)
	_, err = s.HoldEvidence(ctx, "free", "ana", "too late")
	wantErr(t, "hold on what is gone", err, store.ErrConflict)
	_, err = s.EvidenceContent(ctx, "held")
	must(t, err)
	_, err = s.ReleaseEvidence(ctx, "held", "ana", "settled")
	must(t, err)
	sweep(1)
	_, err = s.EvidenceContent(ctx, "held")
	wantErr(t, "content after its hold", err, store.ErrNotFound)
	_, err = s.EvidenceContent(ctx, "forever")
	must(t, err)
	e, links, err := s.EvidenceLinks(ctx, "held")
	must(t, err)
	must(t, store.VerifyChain(e.SHA256, e.HeadHash, links))
	var told []string
	for _, l := range links {
		told = append(told, l.Action)
	}
	same(t, "chain", told, []string{store.LinkTaken, store.LinkHeld, store.LinkReleased, store.LinkRemoved})
}

// testEvidenceFiles: a file goes when the last item that needs it has gone.
func testEvidenceFiles(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	var removed []string
	free := func() {
		t.Helper()
		removed = nil
		must(t, s.FreeBlobs(ctx, func(sum string) error { removed = append(removed, sum); return nil }))
	}
	old, young := exhibit("old", "p1", now().Add(-2*time.Hour)), exhibit("young", "p2", now())
	young.SHA256 = old.SHA256
	for _, e := range []*store.Evidence{&old, &young} {
		e.Blob, e.Content = true, nil
		must(t, s.PutEvidence(ctx, *e))
	}
	_, err := s.EvidenceContent(ctx, "old")
	wantErr(t, "content of a file in the row", err, store.ErrNotFound)
	_, err = s.SweepEvidence(ctx, now())
	must(t, err)
	free()
	same(t, "while another item needs it", removed, nil)
	_, err = s.SweepEvidence(ctx, now().Add(2*time.Hour))
	must(t, err)
	free()
	same(t, "afterwards", removed, []string{old.SHA256})
	free()
	same(t, "again", removed, nil)
}

// testDecisionContent: content goes by its time, never from under an open case.
func testDecisionContent(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	at := now().Add(-time.Hour)
	for i, id := range []engines.RequestID{"plain", "open", "closed", "young"} {
		d := decision(id)
		d.Created = at
		var c *store.Case
		switch id {
		case "open", "closed":
			c = &store.Case{ID: engines.CaseID(id), App: "game", Request: id, Player: "p1", State: string(id), Created: at, Updated: at, Version: i}
		case "young":
			d.Created = now()
		}
		must(t, s.PutDecision(ctx, d, c, nil))
	}
	n, err := s.SweepDecisionContent(ctx, now().Add(-time.Minute))
	must(t, err)
	if n != 2 {
		t.Errorf("%d decisions lost their content, want 2", n)
	}
	for id, kept := range map[engines.RequestID]bool{"plain": false, "open": true, "closed": false, "young": true} {
		d, err := s.Decision(ctx, "game", id)
		must(t, err)
		if (d.Content != "") != kept || (d.Verdict.Masked != "") != kept || len(d.Signals) != 2 || d.Verdict.Observed == nil {
			t.Errorf("%s: content %q, masked %q, %d signals; content kept: want %v", id, d.Content, d.Verdict.Masked, len(d.Signals), kept)
		}
	}
}

func testStatements(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	first := store.Statement{
		Ground: store.GroundIllegal, GroundText: "§ 1 \"né\"", Category: "hate", ContentType: "text", ContentDate: now(), Applied: now(),
		Territory: []string{"DE", "FR"}, Source: store.SourceUserReport, AutomatedDetection: true,
		AutomatedDecision: store.AutomatedPartially, Visibility: store.VisibilityRemoved, Account: "suspended", Provision: "chat", Facts: "facts",
	}
	d := decision("r1")
	d.Statements = []store.Statement{first}
	must(t, s.PutDecision(ctx, d, nil, nil))
	if _, errs := race(8, func(i int) error {
		return s.StatePerson(ctx, "game", "r1", store.PersonDecision{Facts: strconv.Itoa(i), At: now()})
	}); errs != nil {
		t.Fatal(errs)
	}
	wantErr(t, "statement on nothing", s.StatePerson(ctx, "game", "r9", store.PersonDecision{}), store.ErrNotFound)
	got, err := s.Decision(ctx, "game", "r1")
	must(t, err)
	if len(got.Statements) != 9 {
		t.Fatalf("%d statements, want 9", len(got.Statements))
	}
	for i, st := range got.Statements {
		if st.Ends.IsZero() != (i == 8) {
			t.Errorf("statement %d ends %v; the last alone holds", i, st.Ends)
		}
	}
	first.Ends = got.Statements[0].Ends
	same(t, "the decision's own", got.Statements[0], first)
}

// testCheckpoints: which chains have grown, and what is known of them.
func testCheckpoints(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	for i := range 3 {
		must(t, s.AppendAudit(ctx, store.Audit{Chain: "a", TS: now().Add(time.Duration(i) * time.Second), Actor: "ana", Action: "x.do", Object: strconv.Itoa(i), Detail: "{}"}))
	}
	must(t, s.AppendAudit(ctx, store.Audit{Chain: "b", TS: now().Add(time.Second), Actor: "bob", Action: "y.do", Object: "1", Detail: "{}"}))
	ahead, err := s.AuditAhead(ctx)
	must(t, err)
	if len(ahead) != 2 || ahead[0].Chain != "a" || ahead[0].Seq != 3 || ahead[1].Seq != 1 {
		t.Fatalf("chains ahead: %+v", ahead)
	}
	_, err = s.LastCheckpoint(ctx, "a")
	wantErr(t, "no checkpoint", err, store.ErrNotFound)
	for _, h := range ahead {
		must(t, s.PutCheckpoint(ctx, store.Checkpoint{AuditHead: h, TS: now(), Key: "k", Signature: "s"}))
		must(t, s.PutCheckpoint(ctx, store.Checkpoint{AuditHead: h, TS: now(), Key: "k", Signature: "other"}))
	}
	ahead, err = s.AuditAhead(ctx)
	must(t, err)
	same(t, "ahead of their checkpoints", ahead, nil)
	last, err := s.LastCheckpoint(ctx, "a")
	must(t, err)
	if hash, err := s.AuditHash(ctx, "a", last.Seq); err != nil || hash != last.Hash || last.Signature != "s" {
		t.Errorf("checkpoint %+v of entry %q, %v", last, hash, err)
	}
	newest, err := s.NewestCheckpoints(ctx)
	must(t, err)
	if len(newest) != 2 {
		t.Errorf("%d newest checkpoints, want 2", len(newest))
	}
	chains, err := s.AuditChains(ctx)
	must(t, err)
	same(t, "chains", chains, []string{"a", "b"})

	objects := func(q store.AuditQuery) (list []string) {
		t.Helper()
		if q.Limit == 0 {
			q.Limit = 10
		}
		entries, err := s.AuditList(ctx, q)
		must(t, err)
		for _, e := range entries {
			list = append(list, e.Chain+e.Object)
		}
		return list
	}
	same(t, "all", objects(store.AuditQuery{}), []string{"a2", "b1", "a1", "a0"})
	same(t, "by action", objects(store.AuditQuery{Action: "x.*"}), []string{"a2", "a1", "a0"})
	same(t, "by actor", objects(store.AuditQuery{Actor: "bob"}), []string{"b1"})
	entries, err := s.AuditList(ctx, store.AuditQuery{Limit: 2})
	must(t, err)
	end := entries[1]
	same(t, "the next page", objects(store.AuditQuery{Before: end.TS, AfterChain: end.Chain, AfterSeq: end.Seq}), []string{"a1", "a0"})
}

// testPeople: what admins do to moderators and apps, each with its audit entry.
func testPeople(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	must(t, s.CreateFirstAdmin(ctx, store.User{Name: "root", PasswordHash: "h", Created: now()}))
	link := store.PasswordLink{Hash: [32]byte{1}, User: "ana", By: "root", Expires: now().Add(time.Hour)}
	ana := store.User{Name: "ana", Role: "senior", Created: now(), Queues: []string{"urgent"}, Categories: []string{"hate", "né\""}}
	must(t, s.AddUser(ctx, ana, link))
	wantErr(t, "name taken", s.AddUser(ctx, ana, link), store.ErrExists)
	got, err := s.User(ctx, "ana")
	must(t, err)
	same(t, "user", got, ana)

	// One link, once; a newer one takes its place.
	again := link
	again.Hash = [32]byte{2}
	must(t, s.PutPasswordLink(ctx, again))
	_, err = s.PasswordLinkOf(ctx, link.Hash, now())
	wantErr(t, "older link", err, store.ErrNotFound)
	_, err = s.PasswordLinkOf(ctx, again.Hash, now().Add(2*time.Hour))
	wantErr(t, "link that ran out", err, store.ErrNotFound)
	must(t, s.PutLogin(ctx, store.Login{Hash: [32]byte{9}, User: "ana", Created: now(), LastSeen: now(), Expires: now().Add(time.Hour)}))
	wins, _ := race(4, func(i int) error { return s.UsePasswordLink(ctx, again.Hash, fmt.Sprint("hash", i), now()) })
	if wins != 1 {
		t.Errorf("a link was used %d times", wins)
	}
	logins, err := s.LoginsOf(ctx, "ana")
	must(t, err)
	same(t, "logins after a new password", logins, nil)
	noLink := again
	noLink.User = "nobody"
	wantErr(t, "link of nobody", s.PutPasswordLink(ctx, noLink), store.ErrNotFound)

	for i := range 3 {
		must(t, s.PutLogin(ctx, store.Login{Hash: [32]byte{byte(i + 1)}, User: "ana", Created: now(), LastSeen: now(), Expires: now().Add(time.Hour)}))
	}
	if n, err := s.EndLogins(ctx, "ana", &[32]byte{2}, "root"); n != 1 || err != nil {
		t.Errorf("EndLogins of one = %d, %v", n, err)
	}
	if n, err := s.EndLogins(ctx, "ana", nil, "root"); n != 2 || err != nil {
		t.Errorf("EndLogins of all = %d, %v", n, err)
	}

	// The last admin stays one; a second may take over.
	_, err = s.ChangeUser(ctx, store.User{Name: "root", Role: "viewer"}, "root")
	wantErr(t, "last admin", err, store.ErrConflict)
	_, err = s.ChangeUser(ctx, store.User{Name: "root", Role: "admin", Disabled: true}, "root")
	wantErr(t, "last admin disabled", err, store.ErrConflict)
	changed, err := s.ChangeUser(ctx, store.User{Name: "ana", Role: "admin"}, "root")
	must(t, err)
	if changed.PasswordHash == "" || changed.Queues != nil {
		t.Errorf("changed: %+v, want its password and no bounds", changed)
	}
	_, err = s.ChangeUser(ctx, store.User{Name: "root", Role: "viewer"}, "ana")
	must(t, err)
	_, err = s.ChangeUser(ctx, store.User{Name: "nobody", Role: "viewer"}, "ana")
	wantErr(t, "nobody", err, store.ErrNotFound)

	must(t, s.RegisterApp(ctx, "game", "k1", "psk_a", "ana"))
	must(t, s.RotateSecret(ctx, store.Secret{App: "game", KeyID: "k2", Secret: "psk_b", NotBefore: now(), Created: now()}, now().Add(time.Hour), "ana"))
	must(t, s.PutToken(ctx, store.Token{Hash: [32]byte{7}, App: "game", Expires: now().Add(time.Hour)}))
	wantErr(t, "no such secret", s.EndSecrets(ctx, "game", []string{"k1", "k9"}, "ana"), store.ErrNotFound)
	must(t, s.EndSecrets(ctx, "game", []string{"k1"}, "ana"))
	if token, err := s.Token(ctx, [32]byte{7}); err != nil || !token.Revoked {
		t.Errorf("token after a revocation: %+v, %v", token, err)
	}
	must(t, s.VerifyAudit(ctx, "n1"))
	entries, err := s.AuditList(ctx, store.AuditQuery{Limit: 100})
	must(t, err)
	count := map[string]int{}
	for _, e := range entries {
		count[e.Action]++
	}
	same(t, "audit", count, map[string]int{
		"user.create": 2, "user.reset": 1, "user.password": 1, "user.logout": 2, "user.change": 2, "app.create": 1, "app.rotate": 1, "app.revoke": 1,
	})
}
