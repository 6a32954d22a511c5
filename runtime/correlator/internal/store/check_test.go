package store

import "fmt"

// tally is what can be counted anew from the records.
type tally struct {
	bytes      int64
	identities int
	works      int
	groups     int
	members    map[ref]uint32 // identities by group
	active     map[ref]uint32 // works by object
	objects    map[ref]int    // by scope
	scopes     map[ref]int    // by namespace
	due        int
}

// check recomputes everything that is kept twice.
func (s *Store) check() error {
	n := &tally{members: map[ref]uint32{}, active: map[ref]uint32{}, objects: map[ref]int{}, scopes: map[ref]int{}}
	for _, h := range s.definitions {
		n.bytes += definitionCost(h.Definition)
	}
	for _, step := range []func(*tally) error{s.checkIdentities, s.checkObjects, s.checkScopes, s.checkNamespaces, s.checkLists} {
		if err := step(n); err != nil {
			return err
		}
	}
	if n.bytes != s.Bytes() || n.identities != s.Identities() || n.works != s.works.live() || n.groups != s.groups.live() {
		return fmt.Errorf("recomputed %+v; kept %d bytes, %d identities, %d works, %d groups", *n, s.Bytes(), s.Identities(), s.works.live(), s.groups.live())
	}
	return nil
}

func (s *Store) checkIdentities(n *tally) error {
	for i := range s.Each {
		n.identities++
		n.bytes += identityBytes + i.text()
		if m := i.more; m != nil && m.bytes != m.recount() {
			return fmt.Errorf("identity %d says more in %d bytes, kept %d", i.self, m.recount(), m.bytes)
		}
		o := s.Object(i)
		n.members[*s.groupLink(o, i.Definition)]++
		at, found := s.FirstIdentity(i.hash)
		for found != nil && found != i {
			at, found = s.NextIdentity(i.hash, at)
		}
		id, generation := s.Ticket(i)
		if found != i || s.ByTicket(id, generation) != i || s.ByTicket(id, generation+1) != nil {
			return fmt.Errorf("identity %d is not found by hash or by ticket", i.self)
		}
		if i.Idle() {
			continue
		}
		n.works++
		n.bytes += workBytes + i.waiterBytes()
		n.active[i.object]++
		if w := s.works.at(i.work); w.identity != i.self {
			return fmt.Errorf("work of identity %d says %d", i.self, w.identity)
		}
	}
	if s.byHash.entries != n.identities {
		return fmt.Errorf("%d identities, %d in the index", n.identities, s.byHash.entries)
	}
	return nil
}

// recount is what a detail costs beyond its arguments, by what it holds.
func (m *More) recount() int64 {
	size := 0
	m.texts(func(text *string) { size += len(*text) })
	n := moreBytes + allocated(cap(m.Latest)) + allocated(size) + allocated(cap(m.Annotations)*annotationBytes)
	if m.Folded != nil {
		n += int64(len(m.Folded.distinct))*distinctBytes + m.Folded.Latest.bytes()
	}
	return n
}

func (s *Store) checkObjects(n *tally) error {
	objects := 0
	for r, o := range s.objects.each {
		if o.self == 0 {
			continue
		}
		objects++
		n.objects[o.scope]++
		n.bytes += objectBytes + o.longBytes()
		if err := s.checkGroups(n, o, o.groups); err != nil || o.groups == 0 {
			return fmt.Errorf("object %d, groups %d: %w", r, o.groups, err)
		}
		if err := s.checkTurns(n, o); err != nil {
			return fmt.Errorf("object %d: %w", r, err)
		}
	}
	if objects != s.Objects() || objects != s.byObject.entries {
		return fmt.Errorf("%d objects, %d held, %d in the index", objects, s.Objects(), s.byObject.entries)
	}
	return nil
}

// checkGroups holds that the tree leads to each group by its hash.
func (s *Store) checkGroups(n *tally, o *Object, r ref) error {
	if r == 0 {
		return nil
	}
	n.groups++
	n.bytes += groupBytes
	g := s.groups.at(r)
	if *s.groupLink(o, g.Definition) != r || g.identities != n.members[r] || g.identities == 0 {
		return fmt.Errorf("group %d is not found, or holds %d identities and not %d", r, n.members[r], g.identities)
	}
	if a := s.Aggregate(g); a != nil && *s.groupLink(s.Object(a), a.Definition) != r {
		return fmt.Errorf("the aggregate of group %d is of another", r)
	}
	for _, child := range g.children {
		if err := s.checkGroups(n, o, child); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) checkTurns(n *tally, o *Object) error {
	if o.turns == 0 {
		if n.active[o.self] != 0 {
			return fmt.Errorf("%d identities have work, but no turns", n.active[o.self])
		}
		return nil
	}
	t := s.turns.at(o.turns)
	n.bytes += turnsBytes
	if t.works != n.active[o.self] || t.works == 0 {
		return fmt.Errorf("%d identities have work, says %d", n.active[o.self], t.works)
	}
	if err := s.checkQueue(o, t.creates, inCreates); err != nil {
		return err
	}
	return s.checkQueue(o, t.aside, inAside)
}

func (s *Store) checkQueue(o *Object, q chain, name queueName) error {
	last := ref(0)
	for r := q.head; r != 0; r = s.works.at(r).next {
		w := s.works.at(r)
		if w.prev != last || w.queue != name || s.identities.at(w.identity).object != o.self {
			return fmt.Errorf("work %d is badly linked", r)
		}
		last = r
	}
	if last != q.tail {
		return fmt.Errorf("the last of a queue is %d, says %d", last, q.tail)
	}
	return nil
}

func (s *Store) checkScopes(n *tally) error {
	scopes := 0
	for r, p := range s.scopes.each {
		scope := *p
		if scope == nil {
			continue
		}
		scopes++
		n.scopes[scope.Home.self]++
		n.bytes += scopeBytes + scope.text()
		if scope.objects != n.objects[r] || s.byScope[scope.key()] != scope {
			return fmt.Errorf("scope %d has %d objects, says %d", r, n.objects[r], scope.objects)
		}
	}
	if scopes != len(s.byScope) || scopes != s.scopes.live() {
		return fmt.Errorf("%d scopes, %d held, %d in the map", scopes, s.scopes.live(), len(s.byScope))
	}
	return nil
}

func (s *Store) checkNamespaces(n *tally) error {
	fresh := 0
	for r, p := range s.namespaces.each {
		ns := *p
		if ns == nil {
			continue
		}
		n.bytes += namespaceBytes
		if ns.scopes != n.scopes[r] || s.byNamespace[ns.Name] != ns {
			return fmt.Errorf("namespace %s has %d scopes, says %d", ns.Name, n.scopes[r], ns.scopes)
		}
		for slot := range ns.slots {
			if err := s.checkSlot(ns, uint8(slot), n); err != nil {
				return fmt.Errorf("namespace %s, slot %d: %w", ns.Name, slot, err)
			}
		}
		if ns.fresh != 0 {
			fresh++
		}
	}
	for at := range s.later.entries {
		if err := s.later.check(at); err != nil {
			return err
		}
	}
	for r := s.fresh.head; r != 0; r = (*s.namespaces.at(r)).next {
		fresh--
	}
	if fresh != 0 || len(s.byNamespace) != s.namespaces.live() {
		return fmt.Errorf("%d more namespaces have something fresh than are listed; %d are held, %d in the map", fresh, s.namespaces.live(), len(s.byNamespace))
	}
	return s.checkDue(n)
}

// checkSlot checks what is due in a slot.
func (s *Store) checkSlot(ns *Namespace, slot uint8, n *tally) error {
	q, last := ns.slots[slot], ref(0)
	for r := q.head; r != 0; r = s.works.at(r).line.next {
		w := s.works.at(r)
		if i := s.identities.at(w.identity); s.Scope(s.Object(i)).Home != ns || i.work != r || w.slot != slot || !w.due || w.line.prev != last {
			return fmt.Errorf("holds work %d of another, or badly linked", r)
		}
		n.due++
		last = r
	}
	if fresh := ns.fresh&(1<<slot) != 0; last != q.tail || fresh != (last != 0 && ns.announced&(1<<slot) == 0) {
		return fmt.Errorf("the last is %d, says %d; fresh: %v", last, q.tail, fresh)
	}
	return nil
}

// checkDue holds that no work says that it is due and is not.
func (s *Store) checkDue(n *tally) error {
	due := n.due + len(s.later.entries)
	for i := range s.Each {
		if !i.Idle() && s.works.at(i.work).IsDue() {
			due--
		}
	}
	if due != 0 {
		return fmt.Errorf("%d more are due than say so", due)
	}
	return nil
}

func (h *heap) check(at int) error {
	e := h.entries[at]
	if w := h.works.at(e.ref); int(w.line.prev) != at+1 || w.due {
		return fmt.Errorf("entry %d of work %d, which says %d", at, e.ref, w.line.prev)
	}
	if at > 0 && e.before(&h.entries[(at-1)/2]) {
		return fmt.Errorf("entry %d comes before its parent", at)
	}
	return nil
}

func (s *Store) checkLists(*tally) error {
	listed := 0
	for w := range worths {
		last := ref(0)
		for i := s.Oldest(w); i != nil; i = s.Younger(i) {
			listed++
			if i.prev != last || i.listed() != w {
				return fmt.Errorf("identity %d is badly linked", i.self)
			}
			last = i.self
		}
		if last != s.lists[w].tail {
			return fmt.Errorf("the last of list %d is %d, says %d", w, last, s.lists[w].tail)
		}
	}
	for i := range s.Each {
		if i.listed() != unlisted {
			listed--
		}
	}
	if listed != 0 {
		return fmt.Errorf("%d more are in lists than say so", listed)
	}
	return nil
}
