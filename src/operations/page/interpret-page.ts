// What the bytes of a page become: a document is parsed first, and everything passes the transform.

import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import { sniffHead } from '../../markup/sniff-head.ts';
import type { Fetched, TransformOptions, TransformRequest, TransformResult } from '../../page/page.ts';
import type { FileKind, ParsedFile, ParsedFileFacts, PdfOptions } from '../../page/parsed.ts';
import type { SitePrograms } from '../../page/selector-programs.ts';
import { type PageSite, siteOfHost } from '../../page/site-memory.ts';
import type { SourceNeeds } from '../../page/understanding.ts';
import { classifyFile, fileKind } from '../../parse/detect/detect.ts';
import type { FileParser } from '../../parse/file-parser.ts';
import type { Asker } from '../../runtime/gate/gate.ts';
import type { Transformer } from '../../transform/transformer.ts';
import { fileName, imageRefused, readsImages, refuseFalseClaim, unsupportedFile } from './page-file.ts';

export interface InterpretDeps {
  transformer: Transformer;
  fileParser: FileParser;
}

export type InterpretedPage = Pick<Fetched, 'finalUrl' | 'status' | 'headers' | 'contentType' | 'bytes' | 'fetchedAt'>;

export interface Interpretation {
  parsers: ScrapeOptions['parsers'];
  made: TransformOptions;
  /** When the caller's timeout ends. */
  deadline: number;
  isIndexed: boolean;
  /** Whether to look for audio and video on the page. */
  wantsMedia?: boolean;
  source?: SourceNeeds;
  /** What is remembered of the site of the page. */
  site?: PageSite | undefined;
  /** Programs for pages of the site. */
  programs?: SitePrograms | undefined;
  /** Whether to say what was left out as template. */
  explains?: boolean;
  /** The file name, if it is not taken from the URL. */
  name?: string;
  /** For whom: parsers and threads are shared by team. */
  asker: Asker;
}

export const DEFAULT_PDF: PdfOptions = { mode: 'auto', pages: false, blocks: false, pageMarkers: false };

export async function interpretPage(
  { transformer, fileParser }: InterpretDeps,
  fetched: InterpretedPage,
  {
    parsers,
    made,
    deadline,
    isIndexed,
    wantsMedia,
    source,
    site,
    programs,
    explains,
    name = fileName(fetched),
    asker,
  }: Interpretation,
  signal: AbortSignal,
): Promise<TransformResult> {
  const page = { ...fetched, head: sniffHead(fetched.bytes) };
  const finalSite = siteOfHost(new URL(fetched.finalUrl).host);
  const request: TransformRequest = {
    ...{ page, options: made, index: isIndexed, media: wantsMedia, source, explains },
    // A redirect may have led to another site, about which this one says nothing.
    ...(site?.name === finalSite && { site }),
    ...(programs?.site === finalSite && { programs }),
  };
  // An empty body has nothing to parse, whatever its type.
  const isPlain = page.bytes.byteLength === 0 || made.formats.includes('rawBase64');
  if (isPlain) return transformer.transform(request, asker, signal);
  refuseFalseClaim(page);
  const sample = { bytes: page.bytes, head: page.head, contentType: page.contentType, name };
  const kind = fileKind(sample);
  if (kind === undefined) {
    const { category, type } = classifyFile(sample);
    // The first bytes looked supported, but the whole file is not, for example an unrelated ZIP archive.
    if (category !== 'text') throw unsupportedFile(type);
    return transformer.transform(request, asker, signal);
  }
  if (kind === 'pdf' && made.pdf === null) return transformer.transform({ ...request, asBase64: true }, asker, signal);
  if (kind === 'image' && !readsImages(parsers)) throw imageRefused(classifyFile(sample).type);
  const options = { pdf: made.pdf ?? DEFAULT_PDF, deadline };
  const parsed = await fileParser.parse({ kind, name, bytes: page.bytes }, options, asker, signal);
  // The parser had the bytes; the transform wants only what it made of them.
  const rest = { ...page, bytes: new Uint8Array() };
  const parsedFile = { facts: factsOf(kind, parsed), parsed };
  return transformer.transform({ ...request, page: rest, parsedFile }, asker, signal);
}

const factsOf = (kind: FileKind, { numPages, totalPages, isPartial }: ParsedFile): ParsedFileFacts => ({
  kind,
  ...(numPages !== undefined && { numPages }),
  ...(totalPages !== undefined && { totalPages }),
  ...(isPartial && { isPartial }),
});

/** PDF options that differ from the default: results with different options are stored apart. */
export function pdfOptions(parsers: ScrapeOptions['parsers']): PdfOptions | null | undefined {
  const asked = parsers.find((parser) => parser.type === 'pdf');
  if (!asked) return null;
  const { mode, maxPages, pages = false, pageMarkdown = false, blocks = false, pageMarkers = false } = asked;
  const isUsual =
    mode === 'auto' && maxPages === undefined && ![pages, pageMarkdown, blocks, pageMarkers].includes(true);
  if (isUsual) return undefined;
  return { mode, ...(maxPages !== undefined && { maxPages }), pages: pages || pageMarkdown, blocks, pageMarkers };
}
