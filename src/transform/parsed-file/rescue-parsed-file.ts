// The fallback for a parsed file that took too long: its Markdown unchanged, or the plain text of its HTML.

import { emptyMask, keep } from '../../markup/html/node-mask.ts';
import { createPageUrls } from '../../markup/html/page-urls.ts';
import { parseHtml } from '../../markup/html/parse-html.ts';
import { escapeText } from '../../markup/html/write-html.ts';
import type { PageContent, TransformOutcome, TransformRequest, Verdict } from '../../page/page.ts';
import { createFingerprinter } from '../fingerprint/fingerprint.ts';
import { discoverInText } from '../formats/outlinks.ts';
import { boundedMetadata } from '../formats/page-metadata.ts';
import { treeText } from '../formats/tree-text.ts';
import { parsedFileType } from '../index-entry/facts/file-type.ts';
import { indexedPage } from '../index-entry/indexed-page.ts';
import { wholeTextEntry } from '../index-entry/whole-text-entry.ts';
import { boundedBody } from './bounded-body.ts';
import { type ParsedFileInput, partsOf } from './parsed-file.ts';

/** How much of the file is read. */
const BEGINNING = 1_000_000;
const WARNING = 'The document took too much time or memory to process; only its text is given.';

export function rescueParsedFile(request: TransformRequest, { facts, parsed }: ParsedFileInput): TransformOutcome {
  const { page, options } = request;
  const { body, warnings } = boundedBody(parsed.body);
  const html = 'html' in body ? body.html.slice(0, BEGINNING) : preformatted(body.markdown.slice(0, BEGINNING));
  const tree = parseHtml(html, { maxNodes: 100_000 });
  const text = treeText(tree);
  const content: PageContent = {};
  for (const format of options.formats) {
    if (format === 'markdown') content.markdown = 'html' in body ? text : body.markdown;
    else if (format === 'html') content.html = 'html' in body ? preformatted(text) : html;
    else if (format === 'rawHtml') content.rawHtml = html;
    else if (format === 'attributes')
      content.attributes = (options.attributes ?? []).map((item) => ({ ...item, values: [] }));
    else if (format !== 'rawBase64') content[format] = [];
  }
  const metadata = boundedMetadata(parsed.metadata);
  const verdict: Verdict = { kind: 'content', reason: '' };
  const discovered = discoverInText([], page, createFingerprinter().ofText(text));
  const outcome: TransformOutcome = {
    content: { ...content, ...partsOf(parsed, false, 'markdown' in body && warnings.length === 0) },
    metadata,
    verdict,
    warnings: [...parsed.warnings, ...warnings, WARNING],
    discovered,
    document: facts,
  };
  const indexed = indexedPage(request, verdict);
  if (!indexed) return outcome;
  const mask = emptyMask(tree);
  keep(mask, tree, 0);
  const urls = createPageUrls(tree, page.finalUrl);
  const fileType = parsedFileType(facts.kind, page.finalUrl, page.contentType);
  // Its quality is unknown.
  const entry = { tree, urls, mask, metadata, discovered, page: indexed, fileType, quality: 0 };
  return { ...outcome, entry: wholeTextEntry(entry) };
}

const preformatted = (text: string): string => `<pre>${escapeText(text)}</pre>`;
