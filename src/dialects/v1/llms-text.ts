// The pages of a site as llms.txt: a crawl, whose documents are written as a list of links and, if asked for, as one text.

import { validate } from '../../contracts/validate/validate.ts';
import { type LlmsPage, llmsPage, llmsSection, llmsTitle, writeLlmsText } from '../../text/llms-text.ts';
import { createSlices } from '../../util/slices.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { crawledPages, tooLarge, whyEmpty } from '../shared/crawled-pages.ts';
import { sentFields } from '../shared/sent-fields.ts';
import { llmsTextFields, MAX_LISTED } from './fields.ts';
import { withScheme } from './scrape-options.ts';

/** After the id of the crawl: clients send nothing but the id when they ask for the texts. */
const WITH_FULL_TEXT = '.full';

export async function startLlmsText(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { url, maxUrls, showFullText, cache } = validate(llmsTextFields, sentFields(request));
  const { id } = await trawl.call('crawl', {
    isIdempotent: true,
    body: {
      url: withScheme(url),
      limit: maxUrls,
      scrapeOptions: { formats: ['markdown'], ...(!cache && { maxAge: 0 }) },
    },
  });
  return { body: { success: true, id: showFullText ? `${id}${WITH_FULL_TEXT}` : id } };
}

export async function llmsTextStatus({ params }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const hasFullText = params.id!.endsWith(WITH_FULL_TEXT);
  const id = hasFullText ? params.id!.slice(0, -WITH_FULL_TEXT.length) : params.id!;
  const state = await trawl.call('crawlStatus', { params: { id }, query: { limit: '1' } });
  const { status, expiresAt } = state;
  const answer = (word: string, data: object, error?: string) => ({
    success: true,
    ...{ status: word, data, ...(error !== undefined && { error }), expiresAt },
  });
  if (status === 'scraping') return { body: answer('processing', { llmstxt: '' }) };
  if (status === 'cancelled') return { body: answer('failed', { llmstxt: '' }, 'The crawl was cancelled.') };
  const { pages, refused, warnings } = await readPages(id, hasFullText, trawl);
  if (pages.length === 0) {
    const error = refused ?? (await whyEmpty(id, state, trawl)) ?? 'No page was read.';
    return { body: answer('failed', { llmstxt: '' }, error), warnings };
  }
  const listed = pages.map(({ page }) => page);
  const data = {
    llmstxt: writeLlmsText(listed),
    ...(hasFullText && {
      llmsfulltxt: `${[llmsTitle(listed), ...pages.map(({ text }) => text)].join('\n\n')}\n`,
    }),
  };
  return { body: answer('completed', data), warnings };
}

/** The answer is made in memory. */
const MAX_CHARACTERS = 16_000_000;

interface ListedPage {
  page: LlmsPage;
  /** '' unless the full text is asked for. */
  text: string;
}

interface Read {
  pages: ListedPage[];
  /** The first page that is an error of its site, which is not listed. */
  refused?: string;
  warnings: (string | undefined)[];
}

async function readPages(id: string, hasFullText: boolean, trawl: Trawl): Promise<Read> {
  const read: Read = { pages: [], warnings: [] };
  const slices = createSlices();
  let room = MAX_CHARACTERS;
  let left = MAX_LISTED;
  for await (const { data, next, warning } of crawledPages(id, trawl)) {
    for (const document of data) {
      const { statusCode, sourceURL } = document.metadata;
      const page = llmsPage(document);
      if (page) {
        const text = hasFullText ? llmsSection(page, document.markdown) : '';
        read.pages.push({ page, text });
        room -= page.link.length + page.note.length + text.length;
      } else read.refused ??= `${sourceURL}: The site answered with status ${statusCode}.`;
      if (slices.isOver()) await slices.next();
    }
    left -= data.length;
    const isCut = next !== undefined && (room <= 0 || left <= 0);
    read.warnings = [warning, isCut ? tooLarge(id) : undefined];
    if (isCut) break;
  }
  return read;
}
