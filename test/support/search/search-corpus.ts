// The pages that search tests look through. Each topic has unique words. Of two pages about it, the one that a condition
// excludes repeats them more often, and the one it keeps has a unique word that ranks it first.
import type { SearchPage } from '../web/search-pages.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A page that repeats its topic: in the title and many times in the text. */
const loud = (topic: string) =>
  `All about ${topic}: ${topic} here, ${topic} there.\nOnce more: ${topic}, and ${topic}.`;
const faint = (topic: string, own: string) =>
  `In passing there is a word on ${topic} and its ${own}.\nThe ${own} stays.`;

const pair = (
  topic: string,
  own: string,
  loudAt: string,
  faintAt: string,
  faintTitle = 'A side note',
): SearchPage[] => [
  { at: loudAt, title: `The ${topic} book`, text: loud(topic) },
  { at: faintAt, title: faintTitle, text: faint(topic, own) },
];

export const OPERATOR_PAGES: readonly SearchPage[] = [
  // Quotes: the loud page has the same words in reverse order.
  {
    at: 'birds.test/loud',
    title: 'Falcon, amber',
    text: 'Every falcon is amber. Some amber is no falcon.\nOne falcon is more amber, one falcon less.',
  },
  { at: 'birds.test/faint', title: 'A side note', text: faint('the amber falcon', 'plumage') },
  // An excluded word.
  { at: 'stone.test/loud', title: 'The slate quarry', text: `${loud('slate quarry')}\nThe dust is everywhere.` },
  { at: 'stone.test/faint', title: 'A side note', text: faint('slate quarry', 'chisel') },
  ...pair('brass kettle', 'spout', 'north.test/kettles', 'south.test/kettles'),
  { at: 'shop.south.test/kettles/used', title: 'Used kettles', text: faint('brass kettle', 'handle') },
  ...pair('cargo tonnage', 'berth', 'trade.test/loud', 'trade.test/page'),
  {
    at: 'trade.test/files/tonnage.csv',
    title: '',
    text: 'port,cargo tonnage,crane\nNorthhaven,120,4\nSouthhaven,310,9\n',
    type: 'text/csv',
  },
  { at: 'trade.test/files/notes.txt', title: '', text: 'Notes on cargo tonnage and the tally.\n', type: 'text/plain' },
  {
    at: 'trade.test/files/berths.json',
    title: '',
    text: JSON.stringify({ topic: 'cargo tonnage', winch: ['one', 'two'] }),
    type: 'application/json',
  },
  ...pair('walnut cabinet', 'hinge', 'wood.test/loud', 'wood.test/joinery/faint'),
  ...pair('velvet curtain', 'tassel', 'fabric.test/rooms/loud', 'fabric.test/rooms/drapery/faint'),
  ...pair('saffron broth', 'ladle', 'soup.test/loud', 'soup.test/faint', 'Pantry diary'),
  ...pair('juniper candle', 'wick', 'wax.test/loud', 'wax.test/faint', 'Workshop diary for beginners'),
  { at: 'wax.test/half', title: 'Workshop', text: faint('juniper candle', 'mould') },
];

export const RELATED_PAGES: readonly SearchPage[] = [
  {
    at: 'orchard.test/',
    title: 'The orchard',
    text: 'Pruning, grafting and rootstock for apple trees.\nGrafting knives, rootstock and pruning shears.',
  },
  {
    at: 'grafters.test/',
    title: 'Grafters',
    text: 'Grafting clubs share rootstock, and pruning shears are cleaned of blight.',
    html: '<p>See <a href="http://orchard.test:PORT/">the orchard</a>.</p>',
  },
  { at: 'field.test/potatoes', title: 'Potato blight', text: `${loud('blight')}\nPotatoes suffer most of it.` },
];

export const DOMAIN_PAGES: readonly SearchPage[] = [
  ...pair('paper lantern', 'string', 'lamps.test/loud', 'festival.test/faint'),
  { at: 'www.festival.test/more', title: 'More notes', text: faint('paper lantern', 'bamboo') },
  { at: 'shop.festival.test/sale', title: 'Sale', text: faint('paper lantern', 'discount') },
  { at: 'notfestival.test/other', title: 'Other notes', text: faint('paper lantern', 'riddle') },
];

export const CATEGORY_PAGES: readonly SearchPage[] = [
  { at: 'blogs.test/parser', title: 'The lexer parser book', text: loud('lexer parser') },
  { at: 'github.com/acme/parser', title: 'acme/parser', text: faint('lexer parser', 'tokens') },
  { at: 'arxiv.org/abs/2601.00001', title: 'On grammars', text: faint('lexer parser', 'automata') },
];

/** The oldest page repeats its words most often. */
export const datedPages = (now: number): SearchPage[] =>
  (
    [
      ['years', 3 * 365 * DAY],
      ['year', 200 * DAY],
      ['month', 20 * DAY],
      ['week', 3 * DAY],
      ['day', 12 * HOUR],
      ['hour', HOUR / 2],
    ] as const
  ).map(([name, age], index) => ({
    at: `ice.test/${name}`,
    title: index === 0 ? 'The glacier survey book' : `Notes of a ${name}`,
    text: index === 0 ? loud('glacier moraine') : faint('glacier moraine', `${name}stone`),
    published: new Date(now - age),
  }));

export const newsPages = (now: number): SearchPage[] => [
  { at: 'magazine.test/essay', title: 'The ferry strike book', text: loud('ferry strike') },
  {
    at: 'paper.test/old',
    title: 'Ferry strike begins',
    text: loud('ferry strike'),
    published: new Date(now - 40 * DAY),
    isNews: true,
    head: '<meta property="og:image" content="/images/ferry.jpg">',
  },
  {
    at: 'paper.test/new',
    title: 'Ferry strike ends',
    text: 'The ferry strike ended at dawn, the union said.\nShips sail again.',
    published: new Date(now - 2 * HOUR),
    isNews: true,
  },
];

const image = (name: string, size: string, alt: string) =>
  `<figure><img src="/images/${name}" ${size} alt="${alt}"></figure>`;

export const IMAGE_PAGES: readonly SearchPage[] = [
  {
    at: 'gallery.test/lighthouses',
    title: 'Lighthouse pictures',
    text: 'Pictures of a lighthouse by day and by night.',
    html:
      image('small.jpg', 'width="320" height="240"', 'Striped lighthouse at dawn') +
      image('middle.jpg', 'width="800" height="600"', 'Striped lighthouse at noon') +
      image('large.jpg', 'width="1920" height="1080"', 'Striped lighthouse at night') +
      image('unknown.jpg', '', 'Striped lighthouse in fog'),
  },
];

export const COUNTRY_PAGES: readonly SearchPage[] = [
  {
    at: 'bicycles.test/workshop',
    title: 'Fahrrad',
    isShort: true,
    text: 'Every fahrrad is repaired here before the summer, and old ones are sold to anybody who wants to have a good one for the whole family.',
  },
  {
    at: 'werkstatt.de/rad',
    title: 'Fahrrad',
    text: 'Die Werkstatt repariert jedes Fahrrad, das man ihr bringt, und sie verkauft auch gebrauchte Räder für die ganze Familie. Wir freuen uns auf Ihren Besuch in unserer Stadt.',
    language: 'de',
  },
  // The same language: the front page ranks first unless the other country is requested.
  { at: 'tea.test/', title: 'Teacup notes', text: 'Notes on every teacup of the shop.', isShort: true },
  { at: 'tea.co.uk/cups', title: 'Teacup notes', text: 'Notes on every teacup of the house.', isShort: true },
  {
    at: 'atelier.fr/velo',
    title: 'Atelier du vélo',
    text: 'Un atelier répare les vélos de la ville et vend aussi des pièces pour toute la famille. Nous vous attendons avec plaisir.',
    language: 'fr',
  },
  {
    at: 'jitensha.jp/shuri',
    title: '自転車の修理',
    text: '自転車の修理は駅前の店で受け付けています。古い自転車も新しい自転車も大切に直します。',
    language: 'ja',
  },
];

export const PASSAGE_PAGES: readonly SearchPage[] = [
  {
    at: 'clocks.test/pendulum',
    title: 'Clocks',
    description: 'What the owner says about this page.',
    text: 'Nothing in this paragraph matters to anyone.\nA pendulum of invar hardly changes its length with the heat. Makers of regulators have trusted it for a century.\nThe last paragraph is about something else.',
  },
];

/** The whole corpus, as of this day. */
export const searchCorpus = (now: number): SearchPage[] => [
  ...OPERATOR_PAGES,
  ...RELATED_PAGES,
  ...DOMAIN_PAGES,
  ...CATEGORY_PAGES,
  ...datedPages(now),
  ...newsPages(now),
  ...IMAGE_PAGES,
  ...COUNTRY_PAGES,
  ...PASSAGE_PAGES,
];
