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
  const originOf = (path: string): Origin | undefined => (Object.hasOwn(origins, path) ? origins[path] : undefined);
  const placeOf = (leaf: unknown, path: string): Place | undefined => {
    const origin = originOf(path)?.text;
    return (
      (typeof leaf === 'string' ? findText(markdown, leaf) : undefined) ??
      (origin === undefined || BARE_NUMBER.test(origin) ? undefined : findText(markdown, origin)) ??
      (typeof leaf === 'number' ? numbers().get(leaf) : undefined)
    );
  };
  for (const { leaf, path } of leavesOf(value)) {
    const place = placeOf(leaf, path);
    if (!place) continue;
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

function findText(markdown: string, text: string): Place | undefined {
  const wanted = text.trim();
  if (wanted.length < MIN_TEXT || wanted.length > MAX_TEXT) return undefined;
  for (let start = markdown.indexOf(wanted); start >= 0; start = markdown.indexOf(wanted, start + 1)) {
    const end = start + wanted.length;
    if (!isInsideWord(markdown, start) && !isInsideWord(markdown, end)) return { start, end };
  }
  return undefined;
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);
const isInsideWord = (text: string, at: number): boolean => isWordPart(text[at - 1]) && isWordPart(text[at]);

/** The first place of every number of the text. */
function numberPlaces(markdown: string, language: string | undefined): () => Map<number, Place> {
  let places: Map<number, Place> | undefined;
  return () => {
    if (places) return places;
    places = new Map();
    let seen = 0;
    for (const match of markdown.matchAll(NUMBER)) {
      seen += 1;
      if (seen > MAX_NUMBERS) break;
      const value = parseNumber(match[0], language);
      const start = match.index;
      if (value !== undefined && !places.has(value)) places.set(value, { start, end: start + match[0].length });
    }
    return places;
  };
}
