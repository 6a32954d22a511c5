package store

// chain is a list of records that are linked through links of their own. A record's links are in one chain at most.
type chain struct{ head, tail ref }

type links struct{ prev, next ref }

// push puts a record at the end. last are the links of the record before it, if there is one.
func (c *chain) push(r ref, l, last *links) {
	*l = links{prev: c.tail}
	if last != nil {
		last.next = r
	} else {
		c.head = r
	}
	c.tail = r
}

// take takes out the record with links l. prev and next are the links of its neighbours, nil for none.
func (c *chain) take(l, prev, next *links) {
	if prev != nil {
		prev.next = l.next
	} else {
		c.head = l.next
	}
	if next != nil {
		next.prev = l.prev
	} else {
		c.tail = l.prev
	}
	*l = links{}
}
