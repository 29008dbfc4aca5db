// A generated web of any size. The same number always gives the same page, so no page has to be stored.
// Hosts have few or many pages about a few topics; pages link to others on their host and to popular pages.

import type { IndexChange } from '../../src/index/page-index.ts';
import type { EntryImage, EntryLink, IndexEntry } from '../../src/page/index-entry.ts';
import { SHARED } from '../../src/page/page-owner.ts';
import { createDice, type Dice } from '../../test/support/web/words.ts';
import { createZipf } from './languages.ts';
import { createTexts, type Topic } from './page-texts.ts';

/** The current time for all fetches and queries. */
export const CORPUS_NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const PAGES_PER_HOST = 40;
const HOST_FLATNESS = 5;
/** A prime, so that the pages of a host are far apart in the order of pages. */
const STRIDE = 1_000_003;
const TOP_LEVELS = ['com', 'com', 'com', 'com', 'org', 'org', 'net', 'io', 'co.uk', 'de', 'fr', 'es', 'ru'];
const COUNTRIES: Record<string, string> = { en: 'US', de: 'DE', fr: 'FR', es: 'ES', ru: 'RU' };
const LINKS = { own: 12, others: 4 };

export interface Corpus {
  size: number;
  url(number: number): string;
  host(number: number): string;
  entry(number: number): IndexEntry;
  page(number: number): GeneratedPage;
}

export interface GeneratedPage {
  /** As the store would report it to the index. Changes are numbered from 1. */
  change: IndexChange;
  /** Size of title and body in UTF-8. */
  textBytes: number;
}

interface HostPage {
  host: number;
  /** Position on the host; 0 is the front page. */
  position: number;
}

interface PageHeader {
  url: string;
  title: string;
  topic: Topic;
}

export function createCorpus(size: number): Corpus {
  const texts = createTexts();
  const starts = hostStarts(size);
  const order = createOrder(size);
  const popular = createZipf(size, 20, 1);

  const hostPageOf = (number: number): HostPage => {
    const at = order.indexOf(number);
    const host = hostAt(starts, at);
    return { host, position: at - starts[host]! };
  };
  const names: string[] = [];
  const hostName = (host: number): string => {
    names[host] ??= newName(host);
    return names[host];
  };
  const newName = (host: number) => {
    const dice = createDice(host * 3 + 1);
    const { language } = texts.topic(host, 0);
    const stems = texts.english;
    const name = stems.stem(dice.roll(stems.stems)) + stems.stem(dice.roll(500));
    const ends = TOP_LEVELS.filter((end) => language.code === 'en' || end === 'com' || end === language.code);
    return `${name}${host}.${dice.pick(ends)}`;
  };
  const headerOf = (number: number, { host, position } = hostPageOf(number)): PageHeader => {
    const dice = createDice(number * 3 + 2);
    const topic = texts.topic(host, dice.roll(3));
    const title = texts.title(topic, dice);
    const base = `https://${hostName(host)}/`;
    if (position === 0) return { url: base, title, topic };
    const slug = `${texts.slug(dice)}-${texts.slug(dice)}-${position}`;
    return { url: `${base}${dice.pick(['articles', 'blog', 'docs', 'news', 'p'])}/${slug}`, title, topic };
  };

  function linksOf(number: number, { host, position }: HostPage, dice: Dice): EntryLink[] {
    const from = starts[host]!;
    const pages = starts[host + 1]! - from;
    const linked = new Set<number>();
    // Every page links to the front page and the first few pages of its host; its other links lead to nearby pages.
    for (let n = 0; n < LINKS.own; n += 1) {
      const next = n < 5 ? n : (position + dice.roll(30)) % pages;
      linked.add(order.numberAt(from + (next % pages)));
    }
    for (let n = 0; n < LINKS.others; n += 1) linked.add(popular(dice));
    linked.delete(number);
    return [...linked].map((other) => {
      const { url, title } = headerOf(other);
      const words = title.split(' ');
      return { url, text: dice.roll(3) === 0 ? words.slice(0, 2).join(' ') : title };
    });
  }

  function entry(number: number): IndexEntry {
    const hostPage = hostPageOf(number);
    const { url, title, topic } = headerOf(number, hostPage);
    const dice = createDice(number * 3 + 3);
    const { body, headings } = texts.content(topic, dice);
    const language = topic.language.code;
    // Half of the pages are less than a year old.
    const age = DAY_MS * (365 / (0.001 + dice.roll(1000) / 1000) - 365);
    const isDated = dice.roll(10) < 6;
    return {
      url,
      title,
      description: dice.roll(2) === 0 ? texts.sentence(topic, dice) : '',
      headings,
      body,
      language,
      countries: dice.roll(4) === 0 ? [COUNTRIES[language]!] : [],
      ...(isDated && { publishedAt: Math.floor(CORPUS_NOW - Math.min(age, 20 * 365 * DAY_MS)) }),
      fetchedAt: CORPUS_NOW - dice.roll(30 * DAY_MS),
      fileType: dice.roll(50) === 0 ? 'pdf' : 'html',
      isNews: hostPage.host % 10 === 3 && isDated,
      quality: (500 + dice.roll(500)) / 1000,
      links: linksOf(number, hostPage, dice),
      images: dice.roll(10) < 4 ? imagesOf(url, topic, dice) : [],
      simhash: `${hex(dice)}${hex(dice)}`,
    };
  }

  function imagesOf(url: string, topic: Topic, dice: Dice): EntryImage[] {
    return Array.from({ length: 1 + dice.roll(4) }, (_, n) => ({
      url: new URL(`/images/${texts.slug(dice)}-${n}.jpg`, url).href,
      ...(dice.roll(3) > 0 && { width: 100 * (1 + dice.roll(16)), height: 100 * (1 + dice.roll(9)) }),
      alt: texts.title(topic, dice),
      caption: dice.roll(3) === 0 ? texts.sentence(topic, dice) : '',
    }));
  }

  return {
    size,
    url: (number) => headerOf(number).url,
    host: (number) => hostName(hostPageOf(number).host),
    entry,
    page(number) {
      const generated = entry(number);
      const bytes = new TextEncoder().encode(JSON.stringify(generated));
      return {
        change: {
          ...{ change: number + 1, owner: SHARED, url: generated.url, isVerified: true },
          ...{ firstSeenAt: generated.fetchedAt, entry: bytes },
        },
        textBytes: Buffer.byteLength(generated.title) + Buffer.byteLength(generated.body),
      };
    },
  };
}

const hex = (dice: Dice): string =>
  dice
    .roll(2 ** 32)
    .toString(16)
    .padStart(8, '0');

/** Index of the first page of each host, with all pages sorted by host; the last item is the total. */
function hostStarts(size: number): number[] {
  const hosts = Math.max(1, Math.floor(size / PAGES_PER_HOST));
  const weights = Array.from({ length: hosts }, (_, host) => 1 / (host + HOST_FLATNESS));
  const unit = (size - hosts) / weights.reduce((sum, weight) => sum + weight, 0);
  const starts = [0];
  for (const weight of weights) starts.push(starts.at(-1)! + 1 + Math.floor(weight * unit));
  starts[hosts] = size;
  return starts;
}

function hostAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** Mixes the hosts, as a crawl of many hosts does. A bijection between page numbers and indexes in the order of hosts. */
function createOrder(size: number) {
  const back = inverse(STRIDE % size, size);
  return {
    indexOf: (number: number) => (number * (STRIDE % size)) % size,
    numberAt: (index: number) => (index * back) % size,
  };
}

/** The inverse of `value` modulo `size` (extended Euclid). `size` must not be a multiple of the stride. */
function inverse(value: number, size: number): number {
  let [a, b, x, y] = [value, size, 1, 0];
  while (b !== 0) {
    const times = Math.floor(a / b);
    [a, b, x, y] = [b, a - times * b, y, x - times * y];
  }
  return ((x % size) + size) % size;
}
