// One paper: what the catalogues know about it, and the best passages of its full text.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { scrapeRequest } from '../../contracts/scrape/scrape.ts';
import type { Paper, PaperRef } from '../../contracts/search/paper.ts';
import { DEFAULT_PASSAGES, type GetPaperResponse } from '../../contracts/search/research.ts';
import { storesNothing } from '../../policy/features.ts';
import { readPaperRef } from '../../search/papers/paper-id.ts';
import { bestPassages } from '../../text/passages/passages.ts';
import { guessLanguage } from '../../text/words/language.ts';
import { queryWords } from '../../text/words/terms.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { type ScrapeDeps, scrapePage } from '../scrape.ts';
import { failureCredits } from '../team/credits.ts';
import { findPaper, paperMetadata, rounded } from './ask-papers.ts';
import { billed, inSlot, RESEARCH_MS } from './billing.ts';
import type { PapersDeps } from './papers.ts';

type ReadPaperDeps = PapersDeps & ScrapeDeps;

const MAX_TRIES = 3;
const PASSAGE_LENGTH = 1_200;
const ENOUGH_MS = 1_000;

export async function getPaper(
  deps: ReadPaperDeps,
  { caller, params: { id }, query: { query, k = DEFAULT_PASSAGES }, baseUrl }: Call<'getPaper'>,
): Promise<GetPaperResponse> {
  const ends = deps.clock.now() + RESEARCH_MS;
  const ref = needRef(id);
  const { paper, warning, credits } = await billed(deps, caller, 1, async (bill) => {
    const found = await inSlot(deps, caller, (signal) => findPaper(deps, ref, signal));
    return { ...found, credits: await bill({ target: id, results: 1 }) };
  });
  const metadata = paperMetadata(paper);
  if (query === undefined) {
    return { success: true, paper: metadata, creditsUsed: credits, ...(warning !== undefined && { warning }) };
  }
  // The scrape takes a slot and counts its credits itself.
  const full = await readFullText(deps, caller, paper, ends, baseUrl);
  const words = { words: queryWords(query), phrases: [] };
  const passages = bestPassages(full.markdown, guessLanguage(full.markdown), words, k, PASSAGE_LENGTH);
  const silent = full.problem ?? (passages.length === 0 ? NO_MATCH : undefined);
  const notes = [warning, silent].filter((note) => note !== undefined);
  return {
    success: true,
    paper: metadata,
    paperId: metadata.paperId,
    query,
    passages: passages.map(({ text, score }) => ({ text, score: rounded(score) })),
    creditsUsed: credits + full.credits,
    ...(notes.length > 0 && { warning: notes.join(' ') }),
  };
}

const NO_MATCH = 'The full text was read, but no sentence has words of the query. Ask with other words.';
const NO_FULL_TEXT =
  'No catalogue names a free full text of this paper, so there are no passages. The abstract is in `paper`.';

export function needRef(id: string): PaperRef {
  const ref = readPaperRef(id);
  if (ref) return ref;
  throw new ServiceError('BAD_REQUEST', {
    message: `'${id.slice(0, 100)}' is not the id of a paper. Use a \`paperId\` of a search, arxiv:2301.00001, doi:10.1000/xyz (URL-encoded), pmid:123, pmcid:PMC123, an OpenAlex id such as W123, or a URL of these sites.`,
  });
}

interface FullText {
  markdown: string;
  /** Credits for everything that was tried. */
  credits: number;
  /** Why no full text could be read. */
  problem?: string;
}

/** The first full text that can be read, fetched and parsed like any page. */
async function readFullText(
  deps: ReadPaperDeps,
  caller: Caller,
  { fullTexts }: Paper,
  ends: number,
  baseUrl: string,
): Promise<FullText> {
  const problems: string[] = [];
  let credits = 0;
  for (const url of fullTexts.slice(0, MAX_TRIES)) {
    const timeout = ends - deps.clock.now();
    if (timeout < ENOUGH_MS) break;
    try {
      const request = scrapeRequest.parse({
        url,
        formats: ['markdown'],
        timeout,
        zeroDataRetention: storesNothing(deps.featuresOf, caller.team),
      });
      const { content, metadata } = await scrapePage(deps, caller, request, baseUrl, { operation: 'research' });
      credits += metadata.creditsUsed;
      const { markdown = '' } = JSON.parse(Buffer.from(content).toString()) as { markdown?: string };
      const isRead = metadata.statusCode < 400 && markdown.trim() !== '';
      if (isRead) return { markdown, credits };
      problems.push(`it answered with status ${metadata.statusCode} and no text.`);
    } catch (error) {
      caller.signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      credits += failureCredits(error);
      problems.push(error.message);
    }
  }
  const problem =
    fullTexts.length === 0
      ? NO_FULL_TEXT
      : `The full text of this paper could not be read, so there are no passages: ${problems[0] ?? 'time ran out.'}`;
  return { markdown: '', credits, problem };
}
