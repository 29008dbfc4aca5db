// A site whose pages are built by scripts. It is a process of its own, so that its CPU time is not counted.
import { reply, type Site, send } from '../../test/support/web/reply.ts';
import { startWeb } from '../../test/support/web.ts';

const ITEMS = 120;
const PICTURES = 12;
const WORDS =
  'river stone morning letter garden window summer copper harbour winter paper silver forest candle bridge'.split(' ');

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Catalogue</title>
<link rel="stylesheet" href="/style.css"></head><body><header><nav id="menu"></nav></header>
<main id="root"><p>Loading ...</p></main><script src="/library.js"></script><script src="/app.js"></script></body></html>`;

const APP = `
const read = (path) => fetch(path).then((answer) => answer.json());
Promise.all([read("/menu.json"), read("/items.json?of=" + location.pathname)]).then(async ([menu, items]) => {
  document.querySelector("#menu").innerHTML = menu.map((name) => "<a href='/list/" + name + "'>" + name + "</a>").join(" ");
  const details = await read("/details.json");
  document.querySelector("#root").innerHTML = "<h1>Catalogue</h1>" + items.map((item, n) =>
    "<article><h2>" + item.name + "</h2><p>" + item.text + "</p><small>" + details[n % details.length] + "</small></article>").join("")
    + Array.from({ length: ${PICTURES} }, (_, n) => "<img loading=lazy width=80 height=60 src='/picture.svg?" + n + "'>").join("");
});`;

/** As much code as a typical framework, most of it never called. */
const LIBRARY = Array.from(
  { length: 4_000 },
  (_, n) => `function part${n}(a, b) { return a * ${n} + (b ?? ${n}); }`,
).join('\n');
const STYLE = Array.from(
  { length: 300 },
  (_, n) => `.c${n} > p { margin: ${n % 9}px; color: #${(n * 13).toString(16).padStart(6, '0')}; }`,
).join('\n');
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><rect width="80" height="60" fill="teal"/></svg>';
const json = (value: unknown) => reply(JSON.stringify(value), { type: 'application/json' });
const sentence = (from: number) =>
  Array.from({ length: 25 }, (_, n) => WORDS[(from * 7 + n * 3) % WORDS.length]).join(' ');

const site: Site = {
  '/page/*': reply(PAGE),
  '/app.js': reply(APP, { type: 'text/javascript' }),
  '/library.js': reply(LIBRARY, { type: 'text/javascript' }),
  '/style.css': reply(STYLE, { type: 'text/css' }),
  '/picture.svg': reply(PICTURE, { type: 'image/svg+xml' }),
  '/menu.json': json(WORDS),
  '/details.json': json(WORDS.map((word) => `More about ${word}`)),
  '/items.json': (exchange) => {
    const items = Array.from({ length: ITEMS }, (_, n) => ({
      name: `${WORDS[n % WORDS.length]} ${n}`,
      text: sentence(n),
    }));
    send(exchange, JSON.stringify(items), { type: 'application/json' });
  },
};

const web = await startWeb({ 'rendered.test': site, '127.0.0.1': site });
process.send?.({ port: web.port, settings: web.settings });
process.on('disconnect', () => void web.stop());
