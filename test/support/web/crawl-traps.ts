// trap.test: forty pages and five crawler traps: two calendars, facets, session ids, and paths that grow.
import { textOf } from './crawl-text.ts';
import { type Handler, page, type Site, send } from './reply.ts';
import { createDice } from './words.ts';

const TOPICS =
  'winter garden market letter signal engine copper timber glass season village mountain council budget ' +
  'survey teacher library reader writer painter sailor farmer baker doctor driver builder keeper measure';
const PRODUCTS = 'anchor barrel candle drum easel flute globe hammer inkwell jug kettle lantern';

const topics = TOPICS.split(' ').map((name) => `/topic/${name}`);
const products = PRODUCTS.split(' ').map((name) => `/product/${name}`);

/** Paths of the real pages. */
export const realPaths: string[] = [...topics, ...products];
/** Path prefix of each trap. */
export const traps: string[] = ['/calendar?', '/calendar-path/', '/facets?', '/s?', '/loop/'];

const link = (address: string, words = address) => `<a href="${address}">${words}</a>`;

/** Every topic links to one that no other page links to. */
const home = page(
  'The harbour office',
  `<p>${topics
    .filter((_, index) => index % 2 === 0)
    .map((path) => link(path))
    .join(' ')}</p>` +
    `<nav>${link('/calendar?month=2026-01', 'Calendar')} ${link('/calendar-path/2026/01', 'Events')} ` +
    `${link('/facets?sort=name', 'Products')} ${link('/s?sid=first', 'Members')} ${link('/loop/', 'Archive')}</nav>`,
);

const topic: Handler = (exchange) => {
  const place = topics.indexOf(exchange.path);
  if (place < 0) return send(exchange, page('No such topic'), { status: 404 });
  const next = topics[place + 1];
  return send(exchange, page(`Topic ${exchange.tail}`, textOf(exchange.path) + (next ? link(next) : '')));
};

const product: Handler = (exchange) => send(exchange, page(`Product ${exchange.tail}`, textOf(exchange.path)));

/** A month with a cell for each day, and links to the previous and the next month. */
function month(year: number, number: number, address: (year: string, month: string) => string): string {
  const at = (step: number) => {
    const [y, m] = new Date(Date.UTC(year, number - 1 + step)).toISOString().split('-') as [string, string];
    return address(y, m);
  };
  const first = new Date(Date.UTC(year, number - 1));
  const name = first.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const days = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const cells = Array.from({ length: days }, (_, day) => `<td>${day + 1}</td>`).join('');
  return page(
    name,
    `<p>${link(at(-1), 'Previous month')} ${link(at(1), 'Next month')}</p><table><tr>${cells}</tr></table><p>No events</p>`,
  );
}

const calendar: Handler = (exchange) => {
  const [year, number] = (exchange.query.get('month') ?? '2026-01').split('-').map(Number) as [number, number];
  send(
    exchange,
    month(year, number, (y, m) => `/calendar?month=${y}-${m}`),
  );
};

const calendarPath: Handler = (exchange) => {
  const [year, number] = exchange.path.split('/').slice(2).map(Number) as [number, number];
  send(
    exchange,
    month(year, number, (y, m) => `/calendar-path/${y}/${m}`),
  );
};

const COLOURS = ['red', 'green', 'blue', 'grey', 'white', 'black', 'brown', 'pink'];
const SIZES = ['xs', 's', 'm', 'l', 'xl', 'xxl'];
const SORTS = ['name', 'price', 'age', 'stock'];

const toggled = (chosen: string[], value: string) =>
  chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value].sort();

/** Always the same twelve products, in 65,536 selections. */
const facets: Handler = (exchange) => {
  const list = (name: string) => (exchange.query.get(name) ?? '').split(',').filter(Boolean);
  const [colours, sizes, sort] = [list('color'), list('size'), exchange.query.get('sort') ?? 'name'];
  const address = (color: string[], size: string[], order: string) =>
    `/facets?color=${color.join(',')}&amp;size=${size.join(',')}&amp;sort=${order}`;
  const choices = [
    ...COLOURS.map((colour) => link(address(toggled(colours, colour), sizes, sort), colour)),
    ...SIZES.map((size) => link(address(colours, toggled(sizes, size), sort), size)),
    ...SORTS.map((order) => link(address(colours, sizes, order), order)),
  ];
  const turn = SORTS.indexOf(sort) * 3;
  const shown = [...products.slice(turn), ...products.slice(0, turn)];
  const chosen = `<p>Colour: ${colours.join(', ')}. Size: ${sizes.join(', ')}. By ${sort}.</p>`;
  send(
    exchange,
    page(
      'Products',
      `<form>${choices.join(' ')}</form>${chosen}<ul>${shown.map((path) => `<li>${link(path)}, in stock, sent tomorrow</li>`).join('')}</ul>`,
    ),
  );
};

let sessions = 0;

/** Too short to be recognised as a session id by its form, and different in each link of each answer. */
function newSession(): string {
  const dice = createDice(++sessions);
  return Array.from({ length: 12 }, () => dice.roll(36).toString(36)).join('');
}

const session: Handler = (exchange) =>
  send(
    exchange,
    page(
      'Members',
      `<p>Welcome to the members of the harbour club.</p>${['News', 'Letters', 'Leave'].map((words) => link(`/s?sid=${newSession()}`, words)).join(' ')}`,
    ),
  );

/** The link lacks its first slash, so each page leads one folder deeper. */
const loop: Handler = (exchange) =>
  send(exchange, page('Archive', `<p>The archive of the harbour office.</p>${link('a/b/', 'Older')}`));

export const crawlTraps: Record<string, Site> = {
  'trap.test': {
    '/': (exchange) => send(exchange, home),
    '/topic/*': topic,
    '/product/*': product,
    '/calendar': calendar,
    '/calendar-path/*': calendarPath,
    '/facets': facets,
    '/s': session,
    '/loop/*': loop,
  },
};
