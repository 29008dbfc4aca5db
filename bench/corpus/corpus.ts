// A made-up web of any size, page by page: the same number always gives the same page, so that nothing has to be kept.
// Hosts have few or many pages and one or a few subjects; pages lead to others of their host and to well-known ones.
import type { EntryImage, EntryLink, IndexEntry } from '../../src/contracts/index-entry.ts';
import type { IndexChange } from '../../src/index/page-index.ts';
import { createDice, type Dice } from '../../test/support/web/words.ts';
import { createZipf } from './languages.ts';
import { createTexts, type Topic } from './page-texts.ts';

/** When everything was fetched, and is asked for. */
export const CORPUS_NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const PAGES_A_HOST = 40;
const HOST_FLATNESS = 5;
/** A prime, so that neighbours in the order of hosts lie far apart in the order of pages. */
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
  /** As the store would tell the index; changes are numbered from 1. */
  change: IndexChange;
  /** Of title and body, in UTF-8. */
  textBytes: number;
}

interface HostPage {
  host: number;
  /** Among the pages of its host; 0 is the front page. */
  position: number;
}

interface Brief {
  url: string;
  title: string;
  subject: Topic;
}

export function createCorpus(size: number): Corpus {
  const texts = createTexts();
  const starts = hostStarts(size);
  const order = createOrder(size);
  const popular = createZipf(size, 20, 1);

  const hostPageOf = (number: number): HostPage => {
    const at = order.placeOf(number);
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
    const { language: tongue } = texts.topic(host, 0);
    const stems = texts.english;
    const name = stems.stem(dice.roll(stems.stems)) + stems.stem(dice.roll(500));
    const ends = TOP_LEVELS.filter((end) => tongue.code === 'en' || end === 'com' || end === tongue.code);
    return `${name}${host}.${dice.pick(ends)}`;
  };
  const brief = (number: number, { host, position } = hostPageOf(number)): Brief => {
    const dice = createDice(number * 3 + 2);
    const subject = texts.topic(host, dice.roll(3));
    const title = texts.title(subject, dice);
    const base = `https://${hostName(host)}/`;
    if (position === 0) return { url: base, title, subject };
    const slug = `${texts.slug(dice)}-${texts.slug(dice)}-${position}`;
    return { url: `${base}${dice.pick(['articles', 'blog', 'docs', 'news', 'p'])}/${slug}`, title, subject };
  };

  function linksOf(number: number, { host, position }: HostPage, dice: Dice): EntryLink[] {
    const from = starts[host]!;
    const pages = starts[host + 1]! - from;
    const linked = new Set<number>();
    // The front page and the host's best are in the navigation of every page; the rest lies near.
    for (let n = 0; n < LINKS.own; n += 1) {
      const next = n < 5 ? n : (position + dice.roll(30)) % pages;
      linked.add(order.numberAt(from + (next % pages)));
    }
    for (let n = 0; n < LINKS.others; n += 1) linked.add(popular(dice));
    linked.delete(number);
    return [...linked].map((other) => {
      const { url, title } = brief(other);
      const words = title.split(' ');
      return { url, text: dice.roll(3) === 0 ? words.slice(0, 2).join(' ') : title };
    });
  }

  function entry(number: number): IndexEntry {
    const place = hostPageOf(number);
    const { url, title, subject } = brief(number, place);
    const dice = createDice(number * 3 + 3);
    const { body, headings } = texts.content(subject, dice);
    const language = subject.language.code;
    // Half of the pages are of the last year.
    const age = DAY_MS * (365 / (0.001 + dice.roll(1000) / 1000) - 365);
    const isDated = dice.roll(10) < 6;
    return {
      url,
      title,
      description: dice.roll(2) === 0 ? texts.sentence(subject, dice) : '',
      headings,
      body,
      language,
      countries: dice.roll(4) === 0 ? [COUNTRIES[language]!] : [],
      ...(isDated && { publishedAt: Math.floor(CORPUS_NOW - Math.min(age, 20 * 365 * DAY_MS)) }),
      fetchedAt: CORPUS_NOW - dice.roll(30 * DAY_MS),
      fileType: dice.roll(50) === 0 ? 'pdf' : 'html',
      isNews: place.host % 10 === 3 && isDated,
      quality: (500 + dice.roll(500)) / 1000,
      links: linksOf(number, place, dice),
      images: dice.roll(10) < 4 ? imagesOf(url, subject, dice) : [],
      simhash: `${hex(dice)}${hex(dice)}`,
    };
  }

  function imagesOf(url: string, subject: Topic, dice: Dice): EntryImage[] {
    return Array.from({ length: 1 + dice.roll(4) }, (_, n) => ({
      url: new URL(`/images/${texts.slug(dice)}-${n}.jpg`, url).href,
      ...(dice.roll(3) > 0 && { width: 100 * (1 + dice.roll(16)), height: 100 * (1 + dice.roll(9)) }),
      alt: texts.title(subject, dice),
      caption: dice.roll(3) === 0 ? texts.sentence(subject, dice) : '',
    }));
  }

  return {
    size,
    url: (number) => brief(number).url,
    host: (number) => hostName(hostPageOf(number).host),
    entry,
    page(number) {
      const made = entry(number);
      const bytes = new TextEncoder().encode(JSON.stringify(made));
      return {
        change: { change: number + 1, url: made.url, firstSeenAt: made.fetchedAt, entry: bytes },
        textBytes: Buffer.byteLength(made.title) + Buffer.byteLength(made.body),
      };
    },
  };
}

const hex = (dice: Dice): string =>
  dice
    .roll(2 ** 32)
    .toString(16)
    .padStart(8, '0');

/** Where the pages of each host begin in the order of hosts, and after the last where they end. */
function hostStarts(size: number): number[] {
  const hosts = Math.max(1, Math.floor(size / PAGES_A_HOST));
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

/** Pages come as crawls of many hosts at once bring them; both ways there is one page for each place. */
function createOrder(size: number) {
  const back = inverse(STRIDE % size, size);
  return {
    placeOf: (number: number) => (number * (STRIDE % size)) % size,
    numberAt: (place: number) => (place * back) % size,
  };
}

/** The number that, multiplied by `value`, leaves 1 (Euclid's algorithm); `size` must not be a multiple of the stride. */
function inverse(value: number, size: number): number {
  let [a, b, x, y] = [value, size, 1, 0];
  while (b !== 0) {
    const times = Math.floor(a / b);
    [a, b, x, y] = [b, a - times * b, y, x - times * y];
  }
  return ((x % size) + size) % size;
}
