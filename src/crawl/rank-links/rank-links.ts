// Ranks links by how well they match a question: BM25 over title, URL and description.
import { createSlices, type Slices } from '../../util/slices.ts';
import { countOccurrences, type Term, termsOf } from './link-words.ts';

export interface RankedLink {
  url: string;
  title?: string;
  description?: string;
}

export interface ScoredLink<T> {
  link: T;
  /** 0: none of the words of the question. */
  score: number;
}

const MAX_TERMS = 32;
const WEIGHT = { title: 3, path: 2, host: 0.5, description: 1 };
/** BM25's k1 (how soon repetitions stop counting) and b (how much long texts are penalised). */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.5;

/** All links: matching ones first, best match first, then the rest. Ties keep their order. */
export async function rankLinks<T extends RankedLink>(
  links: readonly T[],
  question: string,
  signal: AbortSignal,
): Promise<ScoredLink<T>[]> {
  signal.throwIfAborted();
  const terms = contentTerms(question);
  // Occurrences of each term in each link, weighted by field.
  const counts = terms.map(() => new Float32Array(links.length));
  const lengths = new Float32Array(links.length);
  const slices = createSlices();
  for (const [index, link] of links.entries()) {
    if (slices.isOver()) {
      await slices.next();
      signal.throwIfAborted();
    }
    for (const { text, weight } of fieldsOf(link)) {
      const lower = text.toLowerCase();
      lengths[index]! += weight * text.length;
      for (let term = 0; term < terms.length; term += 1) {
        counts[term]![index]! += weight * countOccurrences(text, lower, terms[term]!);
      }
    }
  }
  const scores = await scoreAll(counts, lengths, slices);
  await slices.next();
  const order = Array.from(links.keys());
  const matching = order.filter((index) => scores[index]! > 0).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const rest = order.filter((index) => scores[index] === 0);
  return [...matching, ...rest].map((index) => ({ link: links[index]!, score: scores[index]! }));
}

function contentTerms(question: string): Term[] {
  const terms = termsOf(question);
  const content = terms.filter(({ isStop }) => !isStop);
  return (content.length > 0 ? content : terms).slice(0, MAX_TERMS);
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

async function scoreAll(counts: readonly Float32Array[], lengths: Float32Array, slices: Slices): Promise<Float64Array> {
  const scores = new Float64Array(lengths.length);
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / lengths.length);
  for (const count of counts) {
    if (slices.isOver()) await slices.next();
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
