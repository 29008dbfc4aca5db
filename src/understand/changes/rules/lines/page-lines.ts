// The lines of a page as a reader sees them: their text, where they lead, and whether they are in a part of the page that
// rotates by itself (advertisements, recommendations).
import { linesOf } from '../../compared-text.ts';
import { MARK } from '../mark.ts';
import { noiseWords } from '../noise-words.ts';
import { type Goal, ignores, wants } from '../read-goal.ts';
import { stableAddress } from './link-addresses.ts';
import { markCards } from './link-cards.ts';

export type Zone = 'advertisement' | 'recommendation' | 'rotating' | 'ambient';

export interface PageLine {
  /** As it stands in the Markdown. */
  source: string;
  /** Without markup, list markers and addresses. */
  text: string;
  /** Addresses of links and pictures, without what changes with every visit. */
  targets: string;
  /** The line before. */
  label: string;
  /** The line after. */
  next: string;
  /** The heading above. */
  heading: string;
  /** The first heading of the page. */
  title: string;
  zone?: Zone;
  isNumbered: boolean;
  /** It is a link, or an item of a list. */
  isLinked: boolean;
  /** It is a link alone, not an item of a list. */
  isOnlyLink: boolean;
  /** In a row of links that may rotate: how many there are. */
  cards?: number;
  /** Before the first heading, or among the last lines. */
  isAtEdge: boolean;
}

const IMAGE = /!\[([^\]\n]{0,500})\]\(((?:[^()\s]|\([^()\s]{0,200}\)){0,2000})(?:\s"[^"\n]{0,300}")?\)/g;
const LINK =
  /\[((?:[^[\]\n]|\[[^[\]\n]{0,100}\]){0,1000})\]\(((?:[^()\s]|\([^()\s]{0,200}\)){0,2000})(?:\s"[^"\n]{0,300}")?\)/g;
const TAG = /<\/?[a-z][^<>\n]{0,500}>/gi;
const EMPHASIS = /\*+|`+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])|\\(?=[\p{P}\p{S}])/gu;
const HEADING = /^ {0,3}(#{1,6})\s+/;
const LIST_MARKER = /^\s{0,40}(?:>\s?){0,10}(?:[-*+]\s+(?:\[[ x]\]\s+)?|(\d{1,9})[.)]\s+)/;
const TABLE_RULE = /^[\s|:-]+$/;
const TEMPERATURE_OR_SUN = /-?\d{1,3} ?°|sunrise|sunset|sonnenaufgang|pollen|air quality|uv index/iu;
const SIGNED_SHARE = /[+−▲▼-] ?\d{1,3}(?:[.,]\d{1,3})? ?%/u;
const EXCHANGE = /(?<!\p{L})(?:1 (?:[A-Z]{3}|\p{Sc}) ?(?:=|≈|buys|is|entspricht|vaut) ?|[A-Z]{3} ?\/ ?[A-Z]{3}:? ?)\d/u;
/** Only prices of exchanges are written with these arrows. */
const TICKER = /[▲▼] ?\d{1,3}(?:[.,]\d{1,3})? ?%/u;
const MAX_AMBIENT = 160;
const BOLD = /^\s*(?:\*\*|__)[^*_]{1,100}(?:\*\*|__)\s*$/;
const SENTENCE = /\p{L}[.!]$/u;
const OF_THE_DAY = /of the (?:day|week|hour|moment)|did you know|des tages|du jour|del día/iu;
/** A line is a label of its zone only if it says nothing else. */
const MAX_LABEL = 80;
/** The last lines of a long page: who made it, and when. */
const FOOT_LINES = 4;
const LONG_PAGE = 20;

export function pageLines(markdown: string, goal: Goal): PageLine[] {
  const zones = new Zones(goal);
  const lines: PageLine[] = [];
  let [title, heading, label, hasHeading] = ['', '', '', false];
  let columns: string[] | undefined;
  for (const source of linesOf(markdown)) {
    if (source.trim() === '') {
      zones.endBlock();
      columns = undefined;
      continue;
    }
    if (source.includes('-') && TABLE_RULE.test(source)) {
      columns = source.includes('|') ? cellsOf(lines.at(-1)?.text ?? '') : undefined;
      continue;
    }
    const level = HEADING.exec(source)?.[1]?.length ?? 0;
    const marker = LIST_MARKER.exec(source);
    const { text: read, targets, isLinked } = readLine(source.slice(marker?.[0].length ?? 0).replace(HEADING, ''));
    const text = columns ? withoutStatistics(read, columns, title, goal) : read;
    const isItem = isLinked || marker !== null;
    const zone =
      ambientZone(text, source, title, goal) ?? zones.at(text, { level, isLinked: isItem, isBold: BOLD.test(source) });
    if (level > 0) [heading, hasHeading] = [text, true];
    if (level > 0) title ||= text;
    const isNumbered = marker?.[1] !== undefined;
    const last = lines.at(-1);
    if (last) last.next = text;
    lines.push({
      source,
      text,
      targets,
      label,
      next: '',
      heading,
      title,
      zone,
      isNumbered,
      isLinked: isItem,
      isOnlyLink: isLinked && marker === null && level === 0 && !columns,
      isAtEdge: !hasHeading,
    });
    label = text;
  }
  // A line right below a heading belongs to it.
  const foot = lines.length < LONG_PAGE ? [] : lines.slice(-FOOT_LINES);
  for (const line of foot) line.isAtEdge ||= line.label !== line.heading;
  markCards(lines);
  return withoutOwnZone(lines);
}

const cellsOf = (row: string): string[] =>
  row
    .replace(/^\s*\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim());

/** The row of a table without the cells of columns such as "Views" and "Last post". */
function withoutStatistics(row: string, columns: readonly string[], title: string, goal: Goal): string {
  const { statistic, promise } = noiseWords();
  const subject = title.toLowerCase();
  const isStatistic = (column = ''): boolean =>
    statistic.test(column) && !wants(goal, ...column.split(' ')) && !subject.includes(column.toLowerCase());
  return cellsOf(row)
    .map((cell, at) => (isStatistic(columns[at]) && !promise.test(cell) ? `${MARK}cell` : cell))
    .join(' | ');
}

/** A zone that is nearly the whole page is what the page is about. */
const OWN_ZONE = 0.8;

function withoutOwnZone(lines: PageLine[]): PageLine[] {
  const isIn = ({ zone }: PageLine) => zone !== undefined && zone !== 'advertisement';
  const length = (some: readonly PageLine[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  if (length(lines.filter(isIn)) <= length(lines) * OWN_ZONE) return lines;
  return lines.map((line) => (isIn(line) ? { ...line, zone: undefined } : line));
}

/** Single lines that say what they are: a labelled advertisement, the weather, the markets, a live reading. */
function ambientZone(text: string, source: string, title: string, goal: Goal): Zone | undefined {
  if (text.length > MAX_AMBIENT) return undefined;
  const words = noiseWords();
  const { advertised, advertisedLink, advertisedAtEnd, recommended, rotated, onlyActivity } = words;
  if (advertised.test(text) || advertisedLink.test(source) || advertisedAtEnd.test(text)) return 'advertisement';
  if (wants(goal, ...text.split(' '))) return undefined;
  if (recommended.test(text)) return 'recommendation';
  if (rotated.test(text)) return 'rotating';
  if (onlyActivity.test(text)) return 'ambient';
  // "Minimum temperature 12 °C" is a rule, not a reading.
  if (!(/\d/.test(text) || words.level.test(text)) || words.promise.test(text.replace(words.window, '')))
    return undefined;
  const isWeather = TEMPERATURE_OR_SUN.test(text) && words.weather.test(text) && !words.weather.test(title);
  const isQuoted = SIGNED_SHARE.test(text) ? words.market.test(text) : EXCHANGE.test(text);
  const isMarket = (isQuoted || TICKER.test(text)) && !words.market.test(title) && !words.ratesSubject.test(title);
  const isAmbient = isWeather || isMarket || (words.reading.test(text) && !words.reading.test(title));
  return isAmbient ? 'ambient' : undefined;
}

function readLine(line: string): { text: string; targets: string; isLinked: boolean } {
  const targets: string[] = [];
  let linked = 0;
  const text = line
    .replace(IMAGE, (_, alt: string, address: string) => {
      targets.push(stableAddress(address, true));
      return ` ${alt} `;
    })
    .replace(LINK, (_, label: string, address: string) => {
      targets.push(stableAddress(address, false));
      linked += label.length;
      return label;
    })
    .replace(TAG, ' ')
    .replace(EMPHASIS, '')
    .replace(/\s+/g, ' ')
    .trim();
  return { text, targets: targets.join(' '), isLinked: targets.length > 0 && linked * 2 >= text.length };
}

interface LineKind {
  /** Heading level; 0 for other lines. */
  level: number;
  isLinked: boolean;
  isBold: boolean;
}

/** Follows which zone the reader is in. A heading opens one for its whole section, any other label for what it stands above. */
class Zones {
  readonly #goal: Goal;
  #zone: Zone | undefined;
  /** Level of the heading that opened the zone; 0 if a label did. */
  #level = 0;
  /** Below a label: what has been seen of it. */
  #below: 'nothing' | 'links' | 'text' = 'nothing';

  constructor(goal: Goal) {
    this.#goal = goal;
  }

  at(text: string, { level, isLinked, isBold }: LineKind): Zone | undefined {
    // The first heading says what the page is about.
    const opened = level === 1 ? undefined : zoneOf(text, level > 0 || isBold, this.#goal);
    if (opened) {
      [this.#zone, this.#level, this.#below] = [opened, level, 'nothing'];
      return opened;
    }
    if (!this.#zone) return undefined;
    // Cards may have headings of the same level as the section; theirs are links.
    if (level === 1 || (level > 0 && (this.#level === 0 || level <= this.#level) && !isLinked)) this.#zone = undefined;
    else if (this.#level === 0 && this.#below === 'links' && !isLinked) this.#zone = undefined;
    else if (isLinked || this.#below === 'nothing') this.#below = isLinked ? 'links' : 'text';
    return this.#zone;
  }

  endBlock(): void {
    if (this.#level === 0 && this.#below === 'text') this.#zone = undefined;
  }
}

function zoneOf(text: string, isHeading: boolean, goal: Goal): Zone | undefined {
  if (text.length === 0 || text.length > MAX_LABEL || (!isHeading && SENTENCE.test(text))) return undefined;
  const { onlyAdvertisement, onlyRecommendation, onlyRotating } = noiseWords();
  const label = text.replace(/[\s:：.…!»›→|-]+$/u, '').replace(/^[\s«‹*•|-]+/u, '');
  if (onlyAdvertisement.test(label)) return 'advertisement';
  // Somebody who watches what is trending wants to see it.
  if (wants(goal, ...label.split(' ')) && !ignores(goal, label)) return undefined;
  if (onlyRecommendation.test(label)) return 'recommendation';
  // "12 comments" is a label only as a heading.
  return onlyRotating.test(label) && (isHeading || OF_THE_DAY.test(label)) ? 'rotating' : undefined;
}
