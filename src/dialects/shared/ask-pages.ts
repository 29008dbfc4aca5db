// An answer from the first results of a search: each page is asked, and the first that states it is heard.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { NOT_STATED } from '../../contracts/formats/formats.ts';
import type { Trawl } from '../dialect.ts';
import { asKnown, creditsOf, type ReadPage, readPages } from './read-pages.ts';

const ASKED_PAGES = 3;
const ASKING_MS = 30_000;

export interface AskedPages {
  /** Null if none of them states it, or none could be read. */
  answer: string | null;
  /** The page that it is from. */
  source?: ReadPage;
  credits: number;
  warning?: string;
}

/** Without a language model, an answer is the passage that fits the question best. */
export async function askPages(question: string, urls: readonly string[], trawl: Trawl): Promise<AskedPages> {
  const options = { formats: [{ type: 'question', question }], timeout: ASKING_MS };
  const pages = await readPages(urls.slice(0, ASKED_PAGES), options, trawl).catch(asKnown);
  if (pages instanceof ServiceError)
    return { answer: null, credits: 0, warning: `There is no answer: ${pages.message}` };
  const source = pages.find(({ page }) => page?.answer && page.answer !== NOT_STATED);
  return { answer: source?.page?.answer ?? null, ...(source && { source }), credits: creditsOf(pages) };
}
