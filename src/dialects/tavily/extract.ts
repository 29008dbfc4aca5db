// Pages as text: each is scraped, and those that cannot be read are named beside the others.
import { validate } from '../../contracts/validate/validate.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { creditsOf, type ReadDocument, readPages } from '../shared/read-pages.ts';
import { sentFields } from '../shared/sent-fields.ts';
import { timed } from './answers.ts';
import { extractFields } from './fields.ts';
import { notServed, type PageFields, pageFormats, pageOf } from './pages.ts';

const NOTHING = 'The page has no text.';

export async function extract(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const finish = timed(request);
  const fields = validate(extractFields, sentFields(request));
  const asked: PageFields = { ...fields, passages: fields.query };
  const options = { formats: pageFormats(asked), timeout: Math.ceil(fields.timeout * 1000) };
  const pages = await readPages(fields.urls, options, trawl);
  const results = pages.flatMap(({ url, page }) => (page && hasText(page) ? [pageOf(url, page, asked)] : []));
  const failed = pages.flatMap(({ url, page, error }) =>
    page && hasText(page) ? [] : [{ url, error: error?.message ?? page?.warning ?? NOTHING }],
  );
  const credits = fields.include_usage ? creditsOf(pages) : undefined;
  return { body: { results, failed_results: failed, ...finish(credits) }, warnings: [notServed(fields)] };
}

const hasText = ({ markdown, highlights }: ReadDocument): boolean => Boolean(markdown || highlights);
