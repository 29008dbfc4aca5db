// Where the values of an answer stand in the Markdown. A value without a place has no citation.
import type { Citation } from '../../page/understanding.ts';
import { joinPath } from './schema/validator.ts';
import { parseNumber } from './values/read-number.ts';

const MAX_CITATIONS = 500;
const MIN_TEXT = 2;
const MAX_TEXT = 500;
/** Not the groups of phone numbers, dates and the like. */
const NUMBER = /(?<![\p{L}\d.,+])(?<!\d[ ()/-]{1,2})\d(?:[\d.,'’\u00a0\u202f]*\d)?(?![\p{L}\d])(?![ ()/-]{1,2}\d)/gu;
const BARE_NUMBER = /^\d+$/;
const MAX_NUMBERS = 50_000;

interface Cited {
  markdown: string;
  url: string;
  language?: string;
}

/** What a value was read from. */
export interface Origin {
  text: string;
  /** How certain it is that it is the value, 0 to 1. */
  confidence: number;
}

/** `origins`: what a value was read from, where it is known. `root`: the name of the format. */
export function citationsOf(
  value: unknown,
  { markdown, url, language }: Cited,
  origins: Readonly<Record<string, Origin>> = {},
  root = 'json',
): Record<string, Citation> {
  const citations: Record<string, Citation> = {};
  const numbers = numberPlaces(markdown, language);
  const anchors = new Anchors();
  const originOf = (path: string): Origin | undefined => (Object.hasOwn(origins, path) ? origins[path] : undefined);
  const placeOf = (leaf: unknown, path: string): Place | undefined => {
    const origin = originOf(path)?.text;
    const anchor = anchors.of(path);
    return (
      (typeof leaf === 'string' ? findText(markdown, leaf, anchor) : undefined) ??
      (origin === undefined || BARE_NUMBER.test(origin) ? undefined : findText(markdown, origin, anchor)) ??
      (typeof leaf === 'number' ? nearest(numbers().get(leaf) ?? [], anchor) : undefined)
    );
  };
  for (const { leaf, path } of leavesOf(value)) {
    const place = placeOf(leaf, path);
    if (!place) continue;
    anchors.add(path, place.start);
    const name = path === '' || path.startsWith('[') ? `${root}${path}` : `${root}.${path}`;
    const confidence = originOf(path)?.confidence;
    citations[name] = {
      url,
      text: markdown.slice(place.start, place.end),
      ...place,
      ...(confidence !== undefined && { confidence: rounded(confidence) }),
    };
  }
  return citations;
}

const rounded = (confidence: number): number => Math.round(Math.min(1, confidence) * 100) / 100;

interface Place {
  start: number;
  end: number;
}

const ENTRY = /^(.*)\[\d+\]/s;

/** The same price may stand behind many items: a value of a list is looked for near what stands in the same entry, or before it. */
class Anchors {
  readonly #starts = new Map<string, number>();

  of(path: string): number {
    const [entry, list] = ENTRY.exec(path) ?? [];
    if (entry === undefined) return 0;
    return this.#starts.get(entry) ?? this.#starts.get(list!) ?? this.of(list!);
  }

  add(path: string, start: number): void {
    const [entry, list] = ENTRY.exec(path) ?? [];
    if (entry === undefined || this.#starts.has(entry)) return;
    this.#starts.set(entry, start).set(list!, start);
  }
}

/** Texts, numbers and truth values with their paths, in order. */
export function leavesOf(value: unknown): { leaf: unknown; path: string }[] {
  const leaves: { leaf: unknown; path: string }[] = [];
  const visit = (each: unknown, path: string): void => {
    if (leaves.length >= MAX_CITATIONS || each === null || each === undefined) return;
    if (typeof each !== 'object') leaves.push({ leaf: each, path });
    else if (Array.isArray(each)) for (const [at, inner] of each.entries()) visit(inner, `${path}[${at}]`);
    else for (const [name, inner] of Object.entries(each)) visit(inner, joinPath(path, name));
  };
  visit(value, '');
  return leaves;
}

/** The place that begins nearest to the anchor. Looking backwards is slow, so no further than a place could be nearer. */
function findText(markdown: string, text: string, anchor: number): Place | undefined {
  const wanted = text.trim();
  if (wanted.length < MIN_TEXT || wanted.length > MAX_TEXT) return undefined;
  const isPlace = (start: number) => !isInsideWord(markdown, start) && !isInsideWord(markdown, start + wanted.length);
  let after = markdown.indexOf(wanted, anchor);
  while (after >= 0 && !isPlace(after)) after = markdown.indexOf(wanted, after + 1);
  const from = after < 0 ? 0 : Math.max(0, 2 * anchor - after + 1);
  const earlier = from < anchor ? markdown.slice(from, anchor - 1 + wanted.length) : '';
  let before = earlier.includes(wanted) ? earlier.lastIndexOf(wanted) : -1;
  while (before >= 0 && !isPlace(from + before)) before = before > 0 ? earlier.lastIndexOf(wanted, before - 1) : -1;
  const start = before >= 0 ? from + before : after;
  return start < 0 ? undefined : { start, end: start + wanted.length };
}

function nearest(places: readonly Place[], anchor: number): Place | undefined {
  let best = places[0];
  for (const place of places) if (Math.abs(place.start - anchor) < Math.abs(best!.start - anchor)) best = place;
  return best;
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);
const isInsideWord = (text: string, at: number): boolean => isWordPart(text[at - 1]) && isWordPart(text[at]);

/** The places of every number of the text. */
function numberPlaces(markdown: string, language: string | undefined): () => Map<number, Place[]> {
  let places: Map<number, Place[]> | undefined;
  return () => {
    if (places) return places;
    places = new Map();
    let seen = 0;
    for (const match of markdown.matchAll(NUMBER)) {
      seen += 1;
      if (seen > MAX_NUMBERS) break;
      const value = parseNumber(match[0], language);
      const start = match.index;
      if (value === undefined) continue;
      const known = places.get(value);
      const place = { start, end: start + match[0].length };
      if (known) known.push(place);
      else places.set(value, [place]);
    }
    return places;
  };
}
