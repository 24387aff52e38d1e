"use strict";

(() => {
  const record = JSON.parse(document.getElementById("record").textContent);
  const { table, words } = record;
  const [cardWidth, cardHeight] = table.card;
  const $ = (id) => document.getElementById(id);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const frames = unfold(record.frames);
  const last = frames.length - 1;
  const links = [...$("list").querySelectorAll("a")];
  const piles = Object.fromEntries(Object.keys(table.places).map((name) => [name, []]));
  const lies = new Map();
  const moving = new Map();
  let at = -1;
  let playing = false;
  let timer = 0;
  let addressTimer = 0;

  // Frames: each says which piles differ from the frame before.

  function unfold(changes) {
    let whole = {};
    return changes.map((frame) => {
      const changed = {};
      for (const [name, pile] of Object.entries(frame.piles)) changed[name] = spread(pile);
      whole = { ...whole, ...changed };
      return { ...frame, piles: whole };
    });
  }

  function spread(pile) {
    const hidden = pile.hidden ? pile.hidden.match(/../g) || [] : [];
    const up = pile.up.match(/../g) || [];
    const cards = [];
    for (let i = 0; i < pile.down; i++) cards.push({ up: false, card: hidden[i] || "" });
    for (const card of up) cards.push({ up: true, card });
    return { cards, steps: pile.steps || [0, 0], down: pile.down };
  }

  // Cards: one element each, which keeps its place on the table until a frame moves it.

  function newCard() {
    const element = document.createElement("div");
    element.className = "card";
    const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drawing.setAttribute("viewBox", `0 0 ${cardWidth} ${cardHeight}`);
    drawing.append(document.createElementNS("http://www.w3.org/2000/svg", "use"));
    element.append(drawing);
    $("cards").append(element);
    return element;
  }

  const same = (element, card) =>
    element.dataset.face === (card.up ? "up" : "down") && element.dataset.card === card.card;

  // What a pile of the old frame and of the new have in common from the bottom stays, and so
  // does a card of a column that turns over. The others are matched by what they show.
  function match(frame, changed) {
    const free = [];
    for (const name of changed) {
      const elements = piles[name];
      const { cards } = frame.piles[name];
      const stays = (element, card) =>
        same(element, card) || (name[0] === "T" && (element.dataset.face === "up") !== card.up);
      let kept = 0;
      while (kept < elements.length && kept < cards.length && stays(elements[kept], cards[kept])) kept++;
      free.push(...elements.splice(kept));
    }
    const open = [];
    for (const name of changed) {
      const { cards } = frame.piles[name];
      for (let i = piles[name].length; i < cards.length; i++) open.push({ name, i, card: cards[i] });
      piles[name].length = cards.length;
    }
    const fits = [
      (element, place) => same(element, place.card),
      (element, place) => place.card.card && element.dataset.card === place.card.card,
      (element) => !element.dataset.card,
      () => true,
    ];
    let left = open;
    for (const fit of fits) {
      left = left.filter((place) => {
        const found = free.findLastIndex((element) => fit(element, place));
        if (found < 0) return true;
        piles[place.name][place.i] = free.splice(found, 1)[0];
        return false;
      });
    }
    for (const place of left) piles[place.name][place.i] = newCard();
  }

  function placeOf(name, i, pile) {
    const [x, y] = table.places[name];
    if (name === "W") {
      const spreadFrom = Math.max(pile.cards.length - table.fan, 0);
      return [x, y + Math.max(i - spreadFrom, 0) * table.wasteStep];
    }
    const [downStep, upStep] = pile.steps;
    return [x, y + Math.min(i, pile.down) * downStep + Math.max(i - pile.down, 0) * upStep];
  }

  function lay(frame, milliseconds) {
    const changed = Object.keys(piles).filter((name) => frame.piles[name] !== frames[at]?.piles[name]);
    match(frame, changed);
    for (const name of changed) {
      const pile = frame.piles[name];
      piles[name].forEach((element, i) => layCard(element, name, i, pile, milliseconds));
    }
  }

  function layCard(element, name, i, pile, milliseconds) {
    const card = pile.cards[i];
    const [x, y] = placeOf(name, i, pile);
    const transform = `translate(${x / cardWidth * 100}%, ${y / cardHeight * 100}%)`;
    const use = element.firstElementChild.firstElementChild;
    // A style reads differently from how it was set: what was set is kept.
    const [oldFace, oldPlace] = [use.getAttribute("href"), lies.get(element)];
    const face = card.up ? `#card-${card.card}` : card.card ? `#hidden-${card.card}` : "#card-back";
    const [moves, turns] = [oldPlace !== transform, oldFace !== face];
    // Of a pile whose cards lie on each other only the upper ones can come into sight.
    const buried = name[0] !== "T" && i < pile.cards.length - table.fan - 4;
    const animated = milliseconds && oldPlace && !buried && (moves || turns);
    const running = moving.get(element);
    const from = animated && running ? getComputedStyle(element).transform : oldPlace;
    if (running && (moves || turns)) stop(element);
    lies.set(element, transform);
    Object.assign(element.dataset, { pile: name, place: i, face: card.up ? "up" : "down", card: card.card });
    element.classList.toggle("blocked", name === "W" && i < pile.cards.length - 1);
    if (turns) use.setAttribute("href", face);
    Object.assign(element.style, { transform, zIndex: i, visibility: buried ? "hidden" : "" });
    if (!animated) return;
    const timing = { duration: milliseconds, easing: "cubic-bezier(.3,.1,.2,1)" };
    const started = turns ? turnOver(element, oldFace, timing) : [];
    if (moves) {
      const zIndex = 1000 + i;
      started.push(element.animate([{ transform: from, zIndex }, { transform, zIndex }], timing));
    }
    moving.set(element, started);
    started.at(-1).onfinish = () => stop(element);
  }

  // The old face narrows to nothing, then the new one widens.
  function turnOver(element, oldFace, timing) {
    const face = element.firstElementChild;
    const old = face.cloneNode(true);
    old.firstElementChild.setAttribute("href", oldFace);
    old.setAttribute("class", "turning");
    element.append(old);
    const thin = { transform: "scaleX(0)" };
    const whole = { transform: "scaleX(1)" };
    return [
      face.animate([thin, { ...thin, offset: 0.5 }, whole], timing),
      old.animate([whole, { ...thin, offset: 0.5 }, thin], timing),
    ];
  }

  function stop(element) {
    for (const animation of moving.get(element)) animation.cancel();
    moving.delete(element);
    element.querySelector(".turning")?.remove();
  }

  // What the page says about a frame.

  const name = (card) => `${words.ranks[card[0]]} of ${words.suits[card[1]]}`;
  const cards = (n) => `${n || "no"} card${n === 1 ? "" : "s"}`;

  function boardInWords({ piles }) {
    const said = [`Stock: ${cards(piles.S.cards.length)}`];
    const waste = piles.W.cards;
    const top = waste.slice(-table.fan).reverse().map(({ card }) => name(card));
    said.push(`Waste: ${cards(waste.length)}${top.length ? `, on top the ${top.join(", under it the ")}` : ""}`);
    for (const suit of [1, 3, 5, 7]) {
      const rows = [suit, suit + 1].map((i) => piles[`F${i}`].cards.at(-1)?.card);
      const heights = rows.map((card) => (card ? words.ranks[card[0]] : "empty"));
      const suits = Object.values(words.suits);
      said.push(`Foundations of ${suits[(suit - 1) / 2]}: ${heights.join(" and ")}`);
    }
    for (let i = 1; i <= 9; i++) {
      const { cards: all, down } = piles[`T${i}`];
      const shown = all.slice(down).map(({ card }) => name(card));
      if (down) shown.unshift(`${down} face down`);
      said.push(`Column ${i}: ${shown.join(", ") || "empty"}`);
    }
    return said;
  }

  function localTime(iso) {
    const moment = new Date(iso);
    const two = (number) => String(number).padStart(2, "0");
    const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())];
    const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two);
    return `${day.join("-")} ${time.join(":")}`;
  }

  function say(frame, index) {
    $("score").textContent = frame.score;
    $("moves").textContent = frame.moves;
    $("event").textContent = `${frame.seq} of ${frames[last].seq}`;
    $("at").textContent = localTime(frame.at);
    $("at").dateTime = frame.at;
    // Read out only where a listener can keep up.
    const slow = !playing || speed() <= 1;
    $("said").setAttribute("aria-live", slow ? "polite" : "off");
    $("said").textContent = frame.said;
    $("stock-count").textContent = frame.piles.S.cards.length || "";
    $("waste-count").textContent = frame.piles.W.cards.length || "";
    $("spoken").replaceChildren(...boardInWords(frame).map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }));
    if ($("stock")) {
      const next = frame.piles.S.cards.map(({ card }) => symbol(card)).reverse();
      $("stock").textContent = next.length ? `Stock, the next card first: ${next.join(" ")}` : "";
    }
    $("slider").value = index;
    for (const slider of [$("slider"), $("marker")]) slider.setAttribute("aria-valuetext", frame.said);
    $("marker").setAttribute("aria-valuenow", index);
    const enabled = {
      first: index > 0,
      back: index > 0,
      "back-ten": index > 0,
      forward: index < last,
      "forward-ten": index < last,
      last: index < last,
      "next-turned": nextWith("turned", index) !== null,
      "next-home": nextWith("home", index) !== null,
    };
    for (const [id, can] of Object.entries(enabled)) $(id).setAttribute("aria-disabled", !can);
  }

  const symbol = (card) => card[0].replace("T", "10") + { S: "♠", H: "♥", D: "♦", C: "♣" }[card[1]];

  function mark(frame) {
    const [left, top, width, height] = record.curve.box;
    const [from, to] = record.curve.events;
    const [low, high] = record.curve.scores;
    $("marker").style.left = `${100 * (left + width * (frame.seq - from) / (to - from))}%`;
    $("marker").style.top = `${100 * top}%`;
    $("marker").style.height = `${100 * height}%`;
    $("marker").firstElementChild.style.top = `${100 * (high - frame.value) / (high - low)}%`;
  }

  function list(index) {
    const before = links[at];
    const now = links[index];
    before?.removeAttribute("aria-current");
    if (before) before.tabIndex = -1;
    now.setAttribute("aria-current", "step");
    now.tabIndex = 0;
    const box = $("list");
    if (box.scrollHeight > box.clientHeight) {
      box.scrollTop = now.parentElement.offsetTop - (box.clientHeight - now.offsetHeight) / 2;
    }
  }

  // Going from frame to frame.

  const speed = () => Number($("speed").value);

  function go(index) {
    const to = Math.min(Math.max(index, 0), last);
    clearTimeout(addressTimer);
    addressTimer = setTimeout(nameInAddress, 250);
    if (to === at) return;
    const near = at >= 0 && Math.abs(to - at) <= 10;
    lay(frames[to], near && !calm.matches ? Math.min(380, 700 / (playing ? speed() : 1)) : 0);
    list(to);
    at = to;
    say(frames[to], to);
    mark(frames[to]);
  }

  function nameInAddress() {
    const address = `#${frames[at].seq}`;
    if (location.hash === address) return;
    try {
      history.replaceState(null, "", address);
    } catch {
      // Some browsers forbid it for files, or when it is done too often.
    }
  }

  function nextWith(what, index) {
    for (let i = index + 1; i <= last; i++) if (frames[i][what]) return i;
    return null;
  }

  function play(wanted) {
    clearTimeout(timer);
    playing = wanted && last > 0;
    $("play").classList.toggle("playing", playing);
    $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    if (!playing) {
      $("said").setAttribute("aria-live", "polite");
      return;
    }
    if (at === last) go(0);
    timer = setTimeout(tick, 1000 / speed());
  }

  function tick() {
    go(at + 1);
    if (at === last) play(false);
    else timer = setTimeout(tick, 1000 / speed());
  }

  function byHand(index) {
    play(false);
    if (index !== null) go(index);
  }

  function faster(steps) {
    const select = $("speed");
    select.selectedIndex = Math.min(Math.max(select.selectedIndex + steps, 0), select.length - 1);
    respeed();
  }

  function respeed() {
    if (playing) play(true);
  }

  function indexOfEvent(seq) {
    // An event that this page leaves out is shown as the one before it.
    const found = frames.findLastIndex((frame) => frame.seq <= seq);
    return Math.max(found, 0);
  }

  function fromAddress() {
    const named = /^#(\d+)$/.exec(location.hash);
    return named ? indexOfEvent(Number(named[1])) : null;
  }

  // Controls.

  const actions = {
    first: () => byHand(0),
    "back-ten": () => byHand(at - 10),
    back: () => byHand(at - 1),
    play: () => play(!playing),
    forward: () => byHand(at + 1),
    "forward-ten": () => byHand(at + 10),
    last: () => byHand(last),
    "next-turned": () => byHand(nextWith("turned", at)),
    "next-home": () => byHand(nextWith("home", at)),
    keys: () => $("help").showModal(),
  };
  for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);
  $("slider").addEventListener("input", () => byHand(Number($("slider").value)));
  $("speed").addEventListener("change", respeed);
  window.addEventListener("hashchange", () => {
    const index = fromAddress();
    if (index !== null) byHand(index);
  });

  const keys = {
    " ": "play",
    ArrowLeft: "back",
    ArrowRight: "forward",
    PageUp: "back-ten",
    PageDown: "forward-ten",
    Home: "first",
    End: "last",
    t: "next-turned",
    f: "next-home",
    "?": "keys",
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || $("help").open) return;
    const { target, key } = event;
    if (target.closest("select")) return;
    // A button that has the focus is pressed by the space bar.
    if (key === " " && target.closest("button, a")) return;
    if (target.closest("#list") && (key === "ArrowUp" || key === "ArrowDown")) {
      byHand(at + (key === "ArrowUp" ? -1 : 1));
      links[at].focus({ preventScroll: true });
    } else if (target.matches("input, [role=slider]") && (key === "ArrowUp" || key === "ArrowDown")) {
      byHand(at + (key === "ArrowUp" ? 1 : -1));
    } else if (key === "+" || key === "=" || key === "-" || key === "−") {
      faster(key === "+" || key === "=" ? 1 : -1);
    } else if (keys[key.length === 1 ? key.toLowerCase() : key]) {
      actions[keys[key.length === 1 ? key.toLowerCase() : key]]();
    } else {
      return;
    }
    event.preventDefault();
  });

  // The curve: pressing or dragging anywhere on it goes to the event there.

  const plane = $("plane");
  function toPointer(event) {
    const bounds = plane.getBoundingClientRect();
    const [left, , width] = record.curve.box;
    const [from, to] = record.curve.events;
    const part = ((event.clientX - bounds.left) / bounds.width - left) / width;
    byHand(nearest(from + part * (to - from)));
  }

  function nearest(seq) {
    const before = indexOfEvent(seq);
    const after = Math.min(before + 1, last);
    return seq - frames[before].seq > frames[after].seq - seq ? after : before;
  }

  plane.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    plane.setPointerCapture(event.pointerId);
    $("marker").focus({ preventScroll: true });
    toPointer(event);
    event.preventDefault();
  });
  plane.addEventListener("pointermove", (event) => {
    if (plane.hasPointerCapture(event.pointerId)) toPointer(event);
  });

  for (const time of document.querySelectorAll("header time")) {
    time.textContent = localTime(time.dateTime);
  }
  go(fromAddress() ?? 0);
  document.documentElement.classList.add("ready");
})();
