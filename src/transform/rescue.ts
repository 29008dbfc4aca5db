// The fallback for a page that the pipeline could not finish in time: the plain text of its beginning.

import { decodeText } from '../markup/charset.ts';
import { createPageUrls } from '../markup/html/page-urls.ts';
import { parseHtml } from '../markup/html/parse-html.ts';
import type { PageContent, TransformOutcome, TransformRequest, Verdict } from '../page/page.ts';
import { createFingerprinter } from './fingerprint/fingerprint.ts';
import { discoverInPage } from './formats/outlinks.ts';
import { pageMetadata } from './formats/page-metadata.ts';
import { treeText } from './formats/tree-text.ts';
import { indexedPage } from './index-entry/indexed-page.ts';
import { pageEntry } from './index-entry/page-entry.ts';
import { withSource, withSourceFormats } from './page-source.ts';
import { rescueParsedFile } from './parsed-file/rescue-parsed-file.ts';

export function rescue(request: TransformRequest): TransformOutcome {
  if (!request.source) return rescueFormats(request);
  return withSource(rescueFormats(withSourceFormats(request, request.source)), request);
}

function rescueFormats(request: TransformRequest): TransformOutcome {
  const { page, options, parsedFile } = request;
  if (parsedFile) return rescueParsedFile(request, parsedFile);
  const source = decodeText(page.bytes, page.contentType, { html: true }).text;
  const tree = parseHtml(source, { maxNodes: 100_000 });
  const urls = createPageUrls(tree, page.finalUrl);
  const content: PageContent = {};
  for (const format of options.formats) {
    if (format === 'markdown') content.markdown = treeText(tree);
    else if (format === 'html' || format === 'rawHtml') content[format] = source;
    else if (format === 'attributes')
      content.attributes = (options.attributes ?? []).map((item) => ({ ...item, values: [] }));
    else if (format !== 'rawBase64') content[format] = [];
  }
  const metadata = pageMetadata(tree, urls);
  const verdict: Verdict = { kind: 'content', reason: '' };
  const discovered = discoverInPage(tree, urls, page, createFingerprinter().ofPage(tree));
  const indexed = indexedPage(request, verdict);
  return {
    content,
    metadata,
    verdict,
    warnings: ['The page took too much time or memory to process; only the plain text of its first megabyte is given.'],
    discovered,
    ...(indexed && { entry: pageEntry({ tree, urls, text: treeText(tree), metadata, discovered, page: indexed }) }),
  };
}
