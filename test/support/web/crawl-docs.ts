// docs.test: a site with duplicates and near-duplicates of all kinds, and without a sitemap.
import { textOf } from './crawl-text.ts';
import { type Exchange, type Handler, page, reply, type Site, send } from './reply.ts';

const SECTIONS = ['first-steps', 'settings', 'storage', 'network', 'security', 'recipes'];
const CHAPTERS = ['overview', 'example', 'reference', 'limits', 'questions', 'history'];
const POSTS = 'harbour river bridge winter garden market letter signal engine copper timber glass'.split(' ');
const MISUSES = ['tide', 'fog', 'storm', 'ice', 'calm'];

const chapters = SECTIONS.flatMap((section) => CHAPTERS.map((chapter) => `/docs/${section}/${chapter}`));
/** Each has a print version under `/print/`. */
const PRINTED = chapters.slice(0, 3);

/** Paths of all distinct pages. */
export const docsPaths: Record<'docs' | 'blog' | 'others', string[]> = {
  docs: ['/docs', ...SECTIONS.map((section) => `/docs/${section}`), ...chapters, '/docs/moved'],
  blog: ['/blog', ...POSTS.map((post) => `/blog/${post}`)],
  others: ['/', '/missing', '/broken', ...MISUSES.map((name) => `/misuse/${name}`)],
};

const links = (paths: readonly string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');

/** One page at seven more addresses. */
const variantsOf = (path: string, { origin }: Exchange) => [
  `${path}/`,
  `${path}#part`,
  `${path}?utm_source=footer&gclid=17`,
  `${path}/index.html`,
  path.toUpperCase(),
  `//docs.test:${new URL(origin('docs.test')).port}${path}`,
  origin('www.docs.test') + path,
];

const frame = (exchange: Exchange, content: string) =>
  `<nav>${links(['/', '/docs', '/blog'])}</nav><main>${content}</main>` +
  `<footer>${links(variantsOf('/docs', exchange))}</footer>`;

const article = (path: string, more: readonly string[] = [], head = ''): Handler => {
  const text = textOf(path);
  return (exchange) => send(exchange, page(`Page ${path}`, frame(exchange, `${text}<p>${links(more)}</p>`), head));
};

const moved =
  (location: (exchange: Exchange) => string): Handler =>
  (exchange) =>
    send(exchange, '', { status: 301, headers: { location: location(exchange) } });

const canonical = (path: string) => `<link rel="canonical" href="${path}">`;

const home = article('/', [
  ...MISUSES.map((name) => `/misuse/${name}`),
  `/old/${SECTIONS[1]}`,
  '/old/moved',
  '/away',
  '/missing',
  '/broken',
  '/private/plans',
  '/side-door',
  '/images/plan.png',
  '/style.css',
  '/files/archive.zip',
  'mailto:harbour@docs.test',
]);

/** The page, and for some a print version: the same text, with the page as canonical address. */
const chapter = (path: string): [string, Handler][] => {
  if (!PRINTED.includes(path)) return [[path, article(path)]];
  const printed = path.replace('/docs/', '/print/');
  const version =
    (more: string): Handler =>
    (exchange) =>
      send(exchange, page(path, frame(exchange, textOf(path)) + more, canonical(path)));
  return [
    [path, version(`<nav>${links([printed])}</nav>`)],
    [printed, version('')],
  ];
};

const pages = new Map<string, Handler>([
  ['/', home],
  ['/docs', article('/docs', docsPaths.docs.slice(1, 1 + SECTIONS.length))],
  ...SECTIONS.map((section): [string, Handler] => [
    `/docs/${section}`,
    article(
      `/docs/${section}`,
      CHAPTERS.map((name) => `/docs/${section}/${name}`),
    ),
  ]),
  ...chapters.flatMap(chapter),
  ['/docs/moved', article('/docs/moved')],
  ['/blog', article('/blog', docsPaths.blog.slice(1))],
  ...docsPaths.blog.slice(1).map((path): [string, Handler] => [path, article(path)]),
  // They all name the front page as canonical address, which is wrong.
  ...MISUSES.map((name): [string, Handler] => [`/misuse/${name}`, article(`/misuse/${name}`, [], canonical('/'))]),
  ['/broken', reply(page('Server error', '<p>Something broke on our side.</p>'), { status: 500 })],
  ['/away', moved(({ origin }) => `${origin('other.test')}/landed`)],
  ['/private/plans', article('/private/plans')],
  ['/private/door', article('/private/door')],
  ['/side-door', moved(() => '/private/door')],
  ['/robots.txt', reply('User-agent: *\nDisallow: /private/\n', { type: 'text/plain' })],
  ['/variants', (exchange) => send(exchange, page('Spellings', links(variantsOf('/variants/page', exchange))))],
  ['/variants/page', article('/variants/page')],
  ['/list', article('/list', ['/list/item?id=1', '/list/item?id=2', '/list/item?id=3'])],
  ['/list/item', (exchange) => article(exchange.path)(exchange)],
]);

const notFound = reply(page('Not found', '<p>There is no such page here.</p>'), { status: 404 });

/** Like many servers, it ignores case, index files and the trailing slash. */
const anySpelling: Handler = (exchange) => {
  const { pathname } = new URL(exchange.path, 'http://docs.test');
  const path = pathname.toLowerCase().replace(/\/(?:index\.html)?$/, '') || '/';
  const old = /^\/old\/([\w-]+)$/.exec(path);
  return (old ? moved(() => `/docs/${old[1]}`) : (pages.get(path) ?? notFound))(exchange);
};

const site: Site = { '/*': anySpelling };

export const crawlDocs: Record<string, Site> = { 'docs.test': site, 'www.docs.test': site };
