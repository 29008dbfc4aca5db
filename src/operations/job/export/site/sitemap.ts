// A sitemap of the pages of a job, with the time of their last change where it is known.

import { escapeHtml } from '../../../../markup/html/escape-html.ts';
import { iso } from '../../../../util/clock.ts';
import { fetchTime } from '../fetch-time.ts';
import { joinTexts } from '../join-texts.ts';
import { type ExportedDocument, oneLine, readDocuments } from '../read-documents.ts';
import type { ExportSource, ResultSlice } from '../read-slices.ts';

type Job = Pick<ExportSource, 'kind'>;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
/** As sitemaps write times: a day, or a time with its zone. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/;
const PAGE = /^https?:/;

export const writeSitemap = (slices: AsyncIterable<ResultSlice>, job: Job): AsyncGenerator<Uint8Array> =>
  joinTexts(entries(slices, job));

async function* entries(slices: AsyncIterable<ResultSlice>, job: Job): AsyncGenerator<string> {
  yield HEAD;
  for await (const document of readDocuments(slices)) {
    const { url = '', statusCode = 0 } = document.metadata;
    const address = URL.parse(url);
    if (!address || !PAGE.test(url) || statusCode >= 400) continue;
    address.hash = '';
    const changed = lastChange(document, job);
    const lastmod = changed === undefined ? '' : `<lastmod>${changed}</lastmod>`;
    yield `<url><loc>${escapeHtml(address.href)}</loc>${lastmod}</url>\n`;
  }
  yield '</urlset>\n';
}

/** What the page says, else when a change was found: nothing is guessed. */
function lastChange(document: ExportedDocument, job: Job): string | undefined {
  const found = document.changeTracking?.changeStatus === 'changed' ? fetchTime(document, job) : undefined;
  const said = oneLine(document.metadata.modifiedTime);
  const time = DATE.test(said) ? Date.parse(said) : Number.NaN;
  const read = fetchTime(document, job)?.getTime();
  // A page that was changed after it was read is wrong about that.
  if (!Number.isNaN(time) && (read === undefined || time <= read)) return said.length > 10 ? iso(time) : said;
  return found && iso(found.getTime());
}
