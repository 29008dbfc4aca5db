// Sites that need a browser: an app that is empty without scripts, a room that describes its visitor, a counter with
// buttons, and a guard that rejects the first requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { page, reply, type Site, send } from './reply.ts';
import { createDice, paragraph } from './words.ts';

/** The part of a story that only a browser sees. */
export const storyMarker = (name: string): string => `rendered-${name}`;

const shell = (title: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><div id="root"></div>` +
  '<noscript>You need to enable JavaScript to run this app.</noscript><script src="/bundle.js"></script></body></html>';

const BUNDLE = `fetch('/api' + location.pathname).then((answer) => answer.text()).then((html) => {
  document.getElementById('root').innerHTML = html;
});`;

const appSite: Site = {
  '/': reply(shell('The app')),
  '/story/*': reply(shell('A story')),
  '/bundle.js': reply(BUNDLE, { type: 'text/javascript' }),
  '/api/': reply('<main><h1>All stories</h1><a href="/story/one">One</a> <a href="/story/two">Two</a></main>'),
  '/api/story/*': (exchange) => {
    const dice = createDice(exchange.tail.length);
    const text = Array.from({ length: 4 }, () => `<p>${paragraph(dice)}</p>`).join('');
    send(exchange, `<article><h1>Story</h1><p>This is ${storyMarker(exchange.tail)}.</p>${text}</article>`);
  },
};

const hoursSite: Site = {
  // Does not look like an empty shell, although scripts write nearly all of it.
  '/': reply(
    '<!doctype html><html lang="en"><title>Thin</title><h1>Opening hours</h1><p>See below.</p>' +
      '<script>setTimeout(() => document.body.append(...Array(40).fill("The doors open at nine. ")), 50)</script>',
  ),
};

const room = (title: string, body: string): string =>
  page(title, `<p>${paragraph(createDice(title.length))}</p>${body}`);

const roomSite: Site = {
  '/who': (exchange) =>
    send(
      exchange,
      room(
        'Who',
        `<pre id="who"></pre><script>who.textContent = JSON.stringify({
          language: navigator.language, zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          agent: navigator.userAgent, width: screen.width, touch: navigator.maxTouchPoints > 0,
          asked: ${JSON.stringify(exchange.headers['accept-language'])} })</script>`,
      ),
    ),
  '/late': reply(
    room('Late', '<p id="n"></p><script>setTimeout(() => n.textContent = "Here at " + "last.", 2000)</script>'),
  ),
  '/banner': reply(
    room(
      'Banner',
      `<div id="onetrust-consent-sdk">We value your privacy.</div><script src="/assets/prebid.js"></script>`,
    ),
  ),
  '/assets/prebid.js': reply('document.body.append("Buy this now!")', { type: 'text/javascript' }),
  '/bands': reply(
    '<!doctype html><title>Bands</title><style>body { margin: 0 }</style>' +
      '<div style="height: 900px; background: red"></div><div style="height: 900px; background: blue"></div>',
  ),
  '/silent': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  '/busy': reply(room('Busy', '<script>for (;;) {}</script>')),
  '/slow/*': async (exchange) => {
    await sleep(1500, undefined, { signal: exchange.signal }).catch(() => {});
    send(exchange, room('Slow', `<p id="n"></p><script>n.textContent = "Visit ${exchange.visit}"</script>`));
  },
  '/number/*': reply(room('Number', '<p id="n"></p><script>n.textContent = "Seen " + location.pathname</script>')),
};

const counterSite: Site = {
  '/': reply(
    room(
      'Shop',
      `<form action="/results"><input id="field" name="q" autocomplete="off"></form>
      <button class="add" onclick="basket.textContent += 'A'">A</button> <button class="add" onclick="basket.textContent += 'B'">B</button>
      <button id="later" onclick="setTimeout(() => note.hidden = false, 400)">Later</button> <p id="note" hidden>A late note.</p>
      <p id="basket">Basket:</p><div style="height: 3000px"></div><p id="end">The end.</p>`,
    ),
  ),
  '/results': (exchange) => send(exchange, room('Results', `<p id="found">Found ${exchange.query.get('q')}.</p>`)),
  '/restless': reply(room('Restless', '<script>setInterval(() => location.reload(), 40)</script>')),
};

const guardSite: Site = {
  // The first two requests are rejected: plain HTTP, and the browser with the basic proxy.
  '/*': (exchange) => {
    const isLetIn = exchange.visit > 2;
    const html = isLetIn ? room('Inside', '<p>You may come in.</p>') : page('Forbidden', '<p>Members only.</p>');
    send(exchange, html, { status: isLetIn ? 200 : 403 });
  },
};

export const browserPages: Record<string, Site> = {
  'app.test': appSite,
  'hours.test': hoursSite,
  'room.test': roomSite,
  'counter.test': counterSite,
  'guard.test': guardSite,
};
