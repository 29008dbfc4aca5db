// load.test: any number of varied articles of 5 to 100 KB. shop.test: 1,000 items over 50 numbered listing pages.

import { type Article, articlePage } from './pages.ts';
import { page, reply, type Site, send } from './reply.ts';
import { createDice, type Dice, headline, paragraph, sentence } from './words.ts';

type Block = (dice: Dice) => string;

const list = (dice: Dice, tag: string) =>
  `<${tag}>${Array.from({ length: 3 + dice.roll(8) }, () => `<li>${sentence(dice)}</li>`).join('')}</${tag}>`;

function table(dice: Dice): string {
  const columns = 2 + dice.roll(4);
  const row = (tag: string) =>
    `<tr>${Array.from({ length: columns }, () => `<${tag}>${headline(dice)}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${row('th')}</thead><tbody>${Array.from({ length: 3 + dice.roll(10) }, () => row('td')).join('')}</tbody></table>`;
}

const linked: Block = (dice) =>
  `<p>${sentence(dice)} <a href="/article/${dice.roll(1000)}">${headline(dice)}</a> <em>${sentence(dice)}</em> ${sentence(dice)} <strong>${headline(dice)}</strong>.</p>`;

// A block is used as often as it is listed here.
const BLOCKS: Block[] = [
  ...Array<Block>(6).fill((dice) => `<p>${paragraph(dice)}</p>`),
  linked,
  linked,
  (dice) => `<h2 id="part-${dice.roll(1000)}">${headline(dice)}</h2><p>${paragraph(dice)}</p>`,
  (dice) => list(dice, 'ul'),
  (dice) => list(dice, 'ol'),
  table,
  (dice) => `<blockquote><p>${paragraph(dice)}</p></blockquote>`,
  (dice) => `<pre><code>const ${headline(dice).split(' ')[0]} = ${dice.roll(1000)};\nreturn a &lt; b;\n</code></pre>`,
  (dice) =>
    `<figure><img src="/images/${dice.roll(500)}.png" alt="${headline(dice)}" loading="lazy"><figcaption>${sentence(dice)}</figcaption></figure>`,
  (dice) =>
    `<div class="widget"><div class="inner"><span>${headline(dice)}</span><div><div>${sentence(dice)}</div></div></div></div>`,
];

/** The same number always gives the same article. Sizes are spread evenly over 5 to 100 KB unless one is given. */
export const generatedArticle = (number: number, bytes?: number): string => articlePage(generatedText(number, bytes));

/** Content of an article, without the page around it. */
export function generatedText(number: number, bytes?: number): Article {
  const dice = createDice(number + 1);
  const size = bytes ?? 5_000 + dice.roll(95_000);
  const title = headline(dice);
  const parts: string[] = [];
  for (let length = 3_000; length < size; length += parts.at(-1)!.length + 1) parts.push(dice.pick(BLOCKS)(dice));
  return { title, content: parts.join('\n'), path: `/article/${number}` };
}

/** A site of `size` articles at `/article/0` and on, with an index at `/`. */
export function articleSite(size: number, bytes?: number): Site {
  const made = new Map<number, Buffer>();
  const index = () =>
    page(
      'All articles',
      `<ul>${Array.from({ length: size }, (_, n) => `<li><a href="/article/${n}">Article ${n}</a></li>`).join('')}</ul>`,
    );
  return {
    '/': reply(index),
    '/article/*': (exchange) => {
      const number = Number(exchange.tail);
      if (!(number >= 0 && number < size)) return send(exchange, page('No such article'), { status: 404 });
      const content = made.get(number) ?? Buffer.from(generatedArticle(number, bytes));
      made.set(number, content);
      return send(exchange, content);
    },
  };
}

const ITEMS = 1000;
const PER_PAGE = 20;
const PAGES = ITEMS / PER_PAGE;

function listing(current: number): string {
  const first = (current - 1) * PER_PAGE + 1;
  const items = Array.from(
    { length: PER_PAGE },
    (_, n) => `<li><a href="/item/${first + n}">Item ${first + n}</a> <b>${first + n}.99 €</b></li>`,
  );
  const numbers = Array.from({ length: PAGES }, (_, n) => `<a href="/products?page=${n + 1}">${n + 1}</a>`).join(' ');
  const next = current < PAGES ? `<a rel="next" href="/products?page=${current + 1}">Next</a>` : '';
  return page(
    `Products, page ${current} of ${PAGES}`,
    `<ul class="products">${items.join('')}</ul><nav class="pages">${numbers} ${next}</nav>`,
  );
}

function item(number: number): string {
  const dice = createDice(number);
  const facts = `<dl><dt>Price</dt><dd>${number}.99 €</dd><dt>Stock</dt><dd>${dice.roll(50)}</dd></dl>`;
  return page(
    `Item ${number}`,
    `<img src="/images/${number}.png" alt="Item ${number}"><p>${paragraph(dice)}</p>${facts}<a href="/products">All products</a>`,
  );
}

const within = (number: number, last: number) => Number.isInteger(number) && number >= 1 && number <= last;

const shopSite: Site = {
  '/': reply(page('The shop', '<p><a href="/products">All products</a></p>')),
  '/products': (exchange) => {
    const current = Number(exchange.query.get('page') ?? 1);
    return within(current, PAGES)
      ? send(exchange, listing(current))
      : send(exchange, page('No such page'), { status: 404 });
  },
  '/item/*': (exchange) => {
    const number = Number(exchange.tail);
    return within(number, ITEMS) ? send(exchange, item(number)) : send(exchange, page('No such item'), { status: 404 });
  },
  '/robots.txt': reply('User-agent: *\nDisallow: /basket\n', { type: 'text/plain' }),
};

export const generated: Record<string, Site> = { 'load.test': articleSite(1000), 'shop.test': shopSite };
