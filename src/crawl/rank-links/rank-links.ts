// Links in the order in which they fit a question: BM25 over title, address and description.
import { setImmediate } from 'node:timers/promises';
import { countOccurrences, type Term, termsOf } from './link-words.ts';

export interface RankedLink {
  url: string;
  title?: string;
  description?: string;
}

/** Words of a question that fit nearly everything say nothing, unless it has no others. */
const IDLE_WORDS = new Set(
  'a an and are as at be by can do does for from how i in is it my of on or the this to what when where which who why with you your'.split(
    ' ',
  ),
);
const MAX_TERMS = 32;
const WEIGHT = { title: 3, path: 2, host: 0.5, description: 1 };
/** How soon more of the same word stops to count, and how far long texts are held back. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.5;
/** Others must have their turn while many links are ranked. */
const AT_A_TIME = 200;

/** All links, those that fit first, the best before the others; equals stay in their order. */
export async function rankLinks<T extends RankedLink>(
  links: readonly T[],
  question: string,
  signal: AbortSignal,
): Promise<T[]> {
  const terms = contentTerms(question);
  // How often each term is in each link, by the weight of the place where it is.
  const counts = terms.map(() => new Float32Array(links.length));
  const lengths = new Float32Array(links.length);
  for (const [index, link] of links.entries()) {
    if (index % AT_A_TIME === 0) await setImmediate();
    signal.throwIfAborted();
    for (const { text, weight } of fieldsOf(link)) {
      const lower = text.toLowerCase();
      lengths[index]! += weight * text.length;
      for (let term = 0; term < terms.length; term += 1) {
        counts[term]![index]! += weight * countOccurrences(text, lower, terms[term]!);
      }
    }
  }
  const scores = scoreAll(counts, lengths);
  const order = Array.from(links.keys());
  const fitting = order.filter((index) => scores[index]! > 0).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const rest = order.filter((index) => scores[index] === 0);
  return [...fitting, ...rest].map((index) => links[index]!);
}

function contentTerms(question: string): Term[] {
  const terms = termsOf(question);
  const telling = terms.filter(({ stem }) => !IDLE_WORDS.has(stem));
  return (telling.length > 0 ? telling : terms).slice(0, MAX_TERMS);
}

function fieldsOf({ url, title = '', description = '' }: RankedLink): { text: string; weight: number }[] {
  const host = url.indexOf('//') + 2;
  const slash = url.indexOf('/', host);
  const path = slash === -1 ? url.length : slash;
  return [
    { text: url.slice(host, path), weight: WEIGHT.host },
    { text: decoded(url.slice(path)), weight: WEIGHT.path },
    { text: title, weight: WEIGHT.title },
    { text: description, weight: WEIGHT.description },
  ].filter(({ text }) => text !== '');
}

function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function scoreAll(counts: readonly Float32Array[], lengths: Float32Array): Float64Array {
  const scores = new Float64Array(lengths.length);
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / lengths.length);
  for (const count of counts) {
    const holders = count.reduce((sum, times) => sum + Number(times > 0), 0);
    const rarity = Math.log(1 + (lengths.length - holders + 0.5) / (holders + 0.5));
    for (const [index, times] of count.entries()) {
      if (times === 0) continue;
      const damping = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * lengths[index]!) / average);
      scores[index]! += (rarity * times * (SATURATION + 1)) / (times + damping);
    }
  }
  return scores;
}
