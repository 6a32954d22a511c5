"use strict";
(() => {
  // Ids of the page's own parts have a slash, which ids of events can't have.
  const ui = name => document.getElementById("ui/" + name);
  const search = ui("search"), list = ui("list"), status = ui("status");
  const filters = { kind: ui("kind"), controller: ui("controller"), type: ui("type"), deprecated: ui("deprecated") };

  const plain = text => text.toLowerCase().replace(/\s+/g, " ").trim();
  const sections = [...list.querySelectorAll(".reason")].map(readSection);
  const total = sections.reduce((n, s) => n + s.entries.length, 0);

  function readSection(node) {
    return { node, body: node.querySelector(".entries"), entries: [...node.querySelectorAll(".entry")].map(readEntry) };
  }

  function readEntry(node) {
    const data = node.dataset;
    return {
      node,
      link: node.querySelector(".link"),
      reason: data.reason,
      type: data.type,
      controller: data.controller,
      kinds: JSON.parse(data.kinds),
      deprecated: data.deprecated,
      literals: JSON.parse(data.literals).map(plain).filter(text => text !== ""),
      message: plain(node.querySelector(".message").textContent),
      text: plain(data.reason + " " + node.textContent),
    };
  }

  // score returns how well an entry matches a query; zero: not at all.
  function score(entry, query) {
    if (query.text === "") return 1;
    return Math.max(scoreReason(entry, query), scoreMessage(entry, query), scoreWords(entry, query));
  }

  function scoreReason(entry, query) {
    const reason = plain(entry.reason);
    if (reason === query.text) return 3000;
    if (reason.startsWith(query.text)) return 2000;
    return reason.includes(query.text) ? 1000 : 0;
  }

  // A pasted message has the literal text of its entry, in order. It may also have the text that kubectl prints around
  // a message. A reason in that text raises the score: as one of several words, or next to the message.
  function scoreMessage(entry, query) {
    const letters = literalLetters(entry, query.text);
    const named = query.words.length > 1 && query.names.has(entry.reason);
    if (letters >= 4) return 100 + Math.min(letters, 300) + (named ? 400 : 0);
    if (!named) return 0;
    return /\p{L}\p{Lu}/u.test(entry.reason) ? 500 : 90;
  }

  function literalLetters(entry, text) {
    let at = 0, letters = 0;
    for (const literal of entry.literals) {
      const found = text.indexOf(literal, at);
      if (found < 0) return 0;
      at = found + literal.length;
      letters += literal.replace(/[^\p{L}\p{N}]/gu, "").length;
    }
    return letters;
  }

  function scoreWords(entry, query) {
    if (!query.words.every(word => entry.text.includes(word))) return 0;
    return entry.message.includes(query.text) ? 60 : 50;
  }

  function passes(entry) {
    const { kind, controller, type, deprecated } = filters;
    return (!kind.value || entry.kinds.includes(kind.value) || entry.kinds.includes("any kind")) &&
      (!controller.value || entry.controller === controller.value || entry.controller === "") &&
      (!type.value || entry.type === type.value) &&
      (!deprecated.value || entry.deprecated === deprecated.value);
  }

  function readQuery() {
    const raw = search.value, text = plain(raw);
    return { raw, text, words: text.split(" "), names: new Set(raw.split(/\s+/)) };
  }

  // If a message is recognised, only its entries are shown. Entries that merely share words with it would be noise.
  function threshold(best) {
    return best >= 100 && best < 1000 ? 100 : 1;
  }

  function update() {
    const query = readQuery();
    const scores = new Map();
    for (const s of sections) for (const e of s.entries) scores.set(e, passes(e) ? score(e, query) : 0);
    const best = new Map(sections.map(s => [s, Math.max(...s.entries.map(e => scores.get(e)))]));
    const least = threshold(Math.max(0, ...best.values()));
    for (const s of sections) {
      s.node.hidden = best.get(s) < least;
      for (const e of s.entries) e.node.hidden = scores.get(e) < least;
      arrange(s.body, s.entries, scores);
    }
    arrange(list, sections, best);
    say([...scores.values()].filter(n => n >= least).length);
  }

  // The best entries come first. Moving nodes is slow, so they move only if the order changes.
  function arrange(parent, parts, scores) {
    const order = [...parts].sort((a, b) => scores.get(b) - scores.get(a));
    if (order.some((part, i) => parent.children[i] !== part.node)) parent.append(...order.map(part => part.node));
  }

  function say(shown) {
    const filtered = search.value.trim() !== "" || Object.values(filters).some(f => f.value !== "");
    status.value = filtered ? `${shown} of ${total} events` : `${total} events`;
    ui("none").hidden = shown > 0;
    ui("clear").hidden = !filtered;
  }

  function clear() {
    search.value = "";
    for (const f of Object.values(filters)) f.value = "";
    update();
  }

  // The address's fragment names a reason or an event, which is shown regardless of the filters. An unknown name is searched.
  function reveal() {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { return; }
    if (id === "" || id.startsWith("ui/")) return;
    const node = document.getElementById(id);
    if (!node || !list.contains(node)) {
      clear();
      search.value = id.split(".")[0];
      update();
      return;
    }
    if (node.hidden || node.closest("[hidden]") || node.querySelector(".entry[hidden]")) clear();
    node.scrollIntoView();
    const link = node.querySelector(".link, h2 a");
    link.focus({ preventScroll: true });
  }

  const links = () => [...list.querySelectorAll(".entry:not([hidden]) .link")].filter(l => !l.closest("[hidden]"));

  function move(by) {
    const all = links();
    const at = position(all, by);
    if (by < 0 && at <= 0) return search.focus();
    focusOn(all[Math.min(at + by, all.length - 1)]);
  }

  // The position of the focus among the links: on the entry that has it, at the edge of its reason, or before all.
  function position(all, by) {
    const active = document.activeElement, entry = active.closest(".entry"), section = active.closest(".reason");
    if (entry) return all.indexOf(entry.querySelector(".link"));
    return section ? all.findIndex(link => section.contains(link)) - (by > 0 ? 1 : 0) : -1;
  }

  function focusOn(link) {
    if (!link) return;
    link.focus({ preventScroll: true });
    link.closest(".entry").scrollIntoView({ block: "nearest" });
  }

  function openFirst() {
    const [link] = links();
    if (!link) return;
    if (location.hash === link.hash) reveal();
    else location.hash = link.hash;
  }

  function back() {
    if (document.activeElement !== search) {
      search.focus();
      search.select();
    } else if (ui("clear").hidden) {
      search.blur();
    } else {
      clear();
    }
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const at = document.activeElement;
    const inSearch = at === search, inList = list.contains(at), inSelect = at instanceof HTMLSelectElement;
    const does = {
      "/": !inSearch && !inSelect && back,
      "Escape": !inSelect && back,
      "ArrowDown": (inSearch || inList) && (() => move(1)),
      "ArrowUp": inList && (() => move(-1)),
      "Enter": inSearch && openFirst,
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  search.addEventListener("input", update);
  for (const f of Object.values(filters)) f.addEventListener("change", update);
  ui("clear").addEventListener("click", () => { clear(); search.focus(); });
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", reveal);
  // A link to the current fragment is followed too, because the filters may hide its target by now.
  list.addEventListener("click", event => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) reveal();
  });
  ui("bar").hidden = false;
  ui("help").hidden = false;
  update();
  reveal();
})();
