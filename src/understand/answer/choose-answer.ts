// One decision over what all chunks answer: pages that say the same support each other, and a page that says something else is
// named.
import { folded } from '../data/item-values.ts';
import { MARKUP, plainLine } from '../passages/plain-line.ts';
import type { AnswerPage } from './answer-work.ts';
import { type AnswerCitation, type Answered, NOT_SAID } from './answered.ts';
import type { AnswerCandidate } from './read-chunks.ts';

/** Candidates that say the same. */
interface Group {
  said: string;
  candidates: AnswerCandidate[];
  confidence: number;
}

const MAX_CITATIONS = 3;
const MAX_SENTENCE = 240;
/** Pages copy from each other, so a second one that says the same counts less than the first. */
const SECOND_PAGE = 0.5;

/** `candidates`: the surest first. */
export function chooseAnswer(candidates: readonly AnswerCandidate[], pages: readonly AnswerPage[]): Answered {
  const groups = grouped(candidates);
  const [best, ...others] = groups;
  if (!best) return { ...NOT_SAID, warnings: [] };
  const cited = onePerPage(best.candidates).slice(0, MAX_CITATIONS);
  const first = cited[0]!;
  return {
    ...(first.value === undefined ? sentences(first, pages) : valueWith(cited, pages)),
    warnings: first.value === undefined ? [] : contradictions(others, best, pages),
  };
}

function grouped(candidates: readonly AnswerCandidate[]): Group[] {
  const groups: Group[] = [];
  for (const candidate of candidates) {
    const said = folded(candidate.value ?? textsOf(candidate).join(' '));
    const same = groups.find((group) => isSame(group.said, said));
    if (same) same.candidates.push(candidate);
    else groups.push({ said, candidates: [candidate], confidence: 0 });
  }
  for (const group of groups) {
    const [first = 0, ...more] = onePerPage(group.candidates).map(({ confidence }) => confidence);
    group.confidence = 1 - more.reduce((doubt, each) => doubt * (1 - SECOND_PAGE * each), 1 - first);
  }
  return groups.toSorted((a, b) => b.confidence - a.confidence);
}

/** "142 metres" and "142 metres long", but not "12" and "112". */
const isSame = (one: string, other: string): boolean =>
  one === other || ` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `);

const onePerPage = (candidates: readonly AnswerCandidate[]): AnswerCandidate[] =>
  candidates.filter(({ chunk }, at) => candidates.findIndex((other) => other.chunk.page === chunk.page) === at);

const textsOf = ({ chunk, spans }: AnswerCandidate): string[] =>
  spans.map(({ start, end }) => chunk.text.slice(start, end));

function sentences(candidate: AnswerCandidate, pages: readonly AnswerPage[]): Pick<Answered, 'answer' | 'citations'> {
  const citations = textsOf(candidate).map((text) => citationOf(candidate, text, pages));
  return { answer: citations.map(({ text }, at) => `${readable(text)} [${at + 1}]`).join(' '), citations };
}

/** The sentence of the value; of a long one, or of the row of a table, the value alone. */
function valueWith(
  cited: readonly AnswerCandidate[],
  pages: readonly AnswerPage[],
): Pick<Answered, 'answer' | 'citations'> {
  const citations = cited.map((candidate) => citationOf(candidate, textsOf(candidate)[0]!, pages));
  const sentence = readable(citations[0]!.text);
  const isWhole = sentence.length <= MAX_SENTENCE && !sentence.includes('|');
  return {
    answer: `${isWhole ? sentence : cited[0]!.value} ${citations.map((_, at) => `[${at + 1}]`).join('')}`,
    citations,
  };
}

export function citationOf(
  { chunk }: Pick<AnswerCandidate, 'chunk'>,
  text: string,
  pages: readonly AnswerPage[],
): AnswerCitation {
  const { url, title } = pages[chunk.page]!;
  return { url, ...(title && { title }), chunkId: chunk.id, text };
}

/** What other pages say instead. Other values on the same page may be about something else beside it. */
function contradictions(others: readonly Group[], best: Group, pages: readonly AnswerPage[]): string[] {
  const own = new Set(best.candidates.map(({ chunk }) => chunk.page));
  const against = others.flatMap(({ candidates }) => candidates.find(({ chunk }) => !own.has(chunk.page)) ?? []);
  return against
    .slice(0, MAX_CITATIONS)
    .map(({ value, chunk }) => `The pages disagree: ${pages[chunk.page]!.url} says "${value ?? ''}".`);
}

/** Without the marks of Markdown. */
const readable = (text: string): string => plainLine(text).text.replaceAll(MARKUP, '').replace(/\s+/g, ' ').trim();
