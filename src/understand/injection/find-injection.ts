// Rules that find text which gives orders to a language model. A single sign is never enough: what a page overrides,
// whom it addresses, what it demands, and whether it hides that are weighed together.
import { folded } from './fold-text.ts';
import { type InjectionPhrases, injectionPhrases } from './injection-phrases.ts';
import { type Passage, pagePassages, type ReadText } from './page-passages.ts';
import { encodedTexts, revealed } from './reveal-text.ts';

export type InjectionScan =
  /** Too long to be read. */
  | { is: 'too-long' }
  /** `text` is what was read, for a model to judge. */
  | { is: 'found' | 'clean'; text: string };

const MAX_CHARACTERS = 2_000_000;
/** Markup is not text, but has to be parsed. */
const MAX_HTML = 20_000_000;
/** Signs count together only if they stand this near to each other. */
const PIECE = 1_000;
const OVERLAP = 200;
const ENOUGH = 4;

/** Signs in one piece of text, by weight. */
interface Signs {
  override: number;
  addressed: number;
  demand: number;
  marker: number;
  /** The order stands inside quotation marks, among other words. */
  isReported: boolean;
}

export function findInjection(source: ReadText): InjectionScan {
  if (source.markdown.length > MAX_CHARACTERS || (source.html?.length ?? 0) > MAX_HTML) return { is: 'too-long' };
  const read = pagePassages(source);
  const length = read.reduce((sum, { text }) => sum + text.length, 0);
  if (length > MAX_CHARACTERS) return { is: 'too-long' };
  const encoded = read.flatMap(({ text }) => encodedTexts(text));
  const hidden = encoded.map((text) => ({ text, isHidden: true, isExample: false }));
  const passages = [...read, ...hidden].flatMap(inPieces);
  const phrases = injectionPhrases();
  const isAbout = isAboutInjection(read, phrases);
  const signs = passages.map((passage) => signsOf(passage.text, phrases));
  const isFound = passages.some((passage, at) => scoreAt(passage, at, { passages, signs, isAbout }) >= ENOUGH);
  return { is: isFound ? 'found' : 'clean', text: passages.map(({ text }) => text).join('\n') };
}

function inPieces(passage: Passage): Passage[] {
  if (passage.text.length <= PIECE) return [passage];
  const count = Math.ceil(passage.text.length / (PIECE - OVERLAP));
  return Array.from({ length: count }, (_, at) => ({
    ...passage,
    text: passage.text.slice(at * (PIECE - OVERLAP), at * (PIECE - OVERLAP) + PIECE),
  }));
}

interface Page {
  passages: readonly Passage[];
  signs: readonly (Signs & { isDisguised: boolean })[];
  isAbout: boolean;
}

/** What the piece and its neighbours say together. */
function scoreAt(passage: Passage, at: number, { passages, signs, isAbout }: Page): number {
  const own = signs[at]!;
  if (own.override === 0 && own.addressed === 0) return 0;
  const near = [at - 1, at, at + 1].filter((other) => passages[other]?.isHidden === passage.isHidden);
  const most = (name: 'addressed' | 'demand' | 'marker') => Math.max(...near.map((other) => signs[other]![name]));
  const hiding = own.override > 0 && passage.isHidden ? 2 : 0;
  const score = own.override + most('addressed') + most('demand') + most('marker') + hiding + (own.isDisguised ? 2 : 0);
  return score * credibility(passage, own, isAbout);
}

/** Articles about the subject quote such orders. Hidden text is never a quotation. */
function credibility(
  { isHidden, isExample }: Passage,
  { isReported, isDisguised }: Page['signs'][number],
  isAbout: boolean,
) {
  if (isHidden) return 1;
  if (isAbout && (isExample || isReported)) return 0;
  if (isAbout) return isDisguised ? 1 : 0.5;
  return isReported ? 0.5 : 1;
}

function signsOf(text: string, phrases: InjectionPhrases): Page['signs'][number] {
  const plain = readSigns(folded(text), phrases);
  const shown = revealed(text);
  if (shown === text) return { ...plain, isDisguised: false };
  const bare = readSigns(folded(shown), phrases);
  const isDisguised = bare.override > plain.override || bare.addressed > plain.addressed;
  return { ...(isDisguised ? bare : plain), isDisguised };
}

function readSigns(text: string, phrases: InjectionPhrases): Signs {
  const { weight, isReported } = readOverride(text, phrases);
  const weigh = (pattern: RegExp) => (text.search(pattern) >= 0 ? 2 : 0);
  return {
    override: weight,
    addressed: weigh(phrases.addressed),
    demand: weigh(phrases.demands),
    marker: weigh(phrases.markers),
    isReported,
  };
}

const BEFORE = 90;
const AFTER = 110;
const SENTENCE_END = /[.!?。！？\n]/;
const OPENING_QUOTE = /["“„«「『‹'‘`]\s*(?:\p{L}+[\s,:]+){0,3}$/u;
/** Letters with nothing between the words, as they remain of spaced ones. */
const RUN_TOGETHER =
  /(?:ignore|disregard|forget)(?:all|any|the|your)*(?:previous|prior|above|earlier)(?:instructions?|prompts?|rules|directives?)/;

/** "Ignore all previous instructions", in any language: an order, how much of what was said before, and what. */
function readOverride(text: string, phrases: InjectionPhrases): { weight: number; isReported: boolean } {
  let best = { weight: RUN_TOGETHER.test(text) ? 4 : 0, isReported: false };
  for (const match of text.matchAll(phrases.verbs)) {
    const before = text.slice(Math.max(0, match.index - BEFORE), match.index);
    if (phrases.reported.test(before) && !phrases.directive.test(before)) continue;
    const end = match.index + match[0].length;
    const after = firstSentence(text.slice(end, end + AFTER));
    // In some languages the verb comes last.
    const around = `${lastSentence(before)} ${after}`;
    const weight = Math.max(
      ...phrases.languages.map((words) => weightOf(text.slice(match.index, end + AFTER), words, after, around)),
    );
    if (weight > best.weight) best = { weight, isReported: isQuoted(text, match.index) };
  }
  return best;
}

function weightOf(order: string, words: InjectionPhrases['languages'][number], after: string, around: string): number {
  // Languages share verbs, or the beginnings of some.
  if (order.search(words.verbs) !== 0) return 0;
  const has = (pattern: RegExp, text = around) => text.search(pattern) >= 0;
  if (!has(words.scopes) || !has(words.things)) return 0;
  const isStrong = has(words.strong) && has(words.strongThings);
  if (isStrong && has(words.all)) return 4;
  if (isStrong) return 3;
  return has(words.things, after) || after.length < 20 ? 2 : 0;
}

const firstSentence = (text: string): string => text.slice(0, indexOr(text.search(SENTENCE_END), text.length));
const lastSentence = (text: string): string => text.split(SENTENCE_END).at(-1)!;
const indexOr = (index: number, otherwise: number): number => (index < 0 ? otherwise : index);

/** Whether a quotation mark opens shortly before, and other words come before that. */
function isQuoted(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - BEFORE), at);
  const quote = OPENING_QUOTE.exec(before);
  return quote !== null && /\p{L}+\P{L}+\p{L}+/u.test(before.slice(0, quote.index));
}

const MIN_TOPICS = 2;
const MIN_MENTIONS = 4;
const MIN_LENGTH = 600;

/** A page that discusses such attacks where everybody can read it. */
function isAboutInjection(passages: readonly Passage[], { topics }: InjectionPhrases): boolean {
  const visible = folded(
    passages
      .filter(({ isHidden, isExample }) => !isHidden && !isExample)
      .map(({ text }) => text)
      .join('\n'),
  );
  if (visible.length < MIN_LENGTH) return false;
  const mentions = topics.map((topic) => visible.match(topic)?.length ?? 0).filter((count) => count > 0);
  return mentions.length >= MIN_TOPICS && mentions.reduce((sum, count) => sum + count, 0) >= MIN_MENTIONS;
}
