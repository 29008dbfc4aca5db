// A web archive (WARC): the HTML of each page as it was read, what was made from it, and the facts about it. Headers of the
// sites' answers are not stored, so the archive has `resource` records instead of `response` records.

import { recordId, type WarcRecord, writeRecord } from '../../../archive/warc-writer.ts';
import { readVersion } from '../../../runtime/version.ts';
import { timeOfUuid } from '../../../util/ids.ts';
import { type ExportedDocument, readDocuments } from './read-documents.ts';
import type { ExportSource, ResultSlice } from './read-slices.ts';

type Job = Pick<ExportSource, 'id' | 'kind' | 'createdAt'>;

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json';
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

export async function* writeWarc(slices: AsyncIterable<ResultSlice>, job: Job): AsyncGenerator<Uint8Array> {
  const info = recordId(`${job.id} warcinfo`);
  yield writeRecord(warcinfo(job, info));
  let position = 0;
  for await (const document of readDocuments(slices)) {
    for (const record of recordsOf(document, job, position)) yield writeRecord({ ...record, info });
    position += 1;
  }
}

function warcinfo(job: Job, id: string): WarcRecord {
  const fields = {
    software: `Trawl/${readVersion()}`,
    format: 'WARC File Format 1.1',
    conformsTo: 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
    isPartOf: `${job.kind === 'batch_scrape' ? 'batch' : job.kind}-${job.id}`,
    description:
      'Pages as resource records, without the headers of their sites; conversions and metadata refer to them.',
  };
  const content = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return {
    type: 'warcinfo',
    id,
    date: new Date(job.createdAt),
    contentType: 'application/warc-fields',
    content: Buffer.from(content.join('')),
  };
}

function* recordsOf(document: ExportedDocument, job: Job, position: number): Generator<WarcRecord> {
  const { rawHtml, rawBase64, html, markdown, ...facts } = document;
  const target = targetOf(document);
  const date = dateOf(document, job);
  const idOf = (name: string) => recordId(`${job.id} ${position} ${name}`);
  let refersTo: string | undefined;
  if (target !== undefined) {
    const source = sourceOf({ rawHtml, rawBase64 }, document);
    if (source) {
      refersTo = idOf('resource');
      yield { type: 'resource', id: refersTo, date, target, ...source };
    }
    const conversions = [
      { name: 'html', text: html, contentType: HTML },
      { name: 'markdown', text: markdown, contentType: MARKDOWN },
    ];
    const original = refersTo;
    for (const { name, text, contentType } of conversions) {
      if (typeof text !== 'string') continue;
      const id = idOf(name);
      yield { type: 'conversion', id, date, target, refersTo: original, contentType, content: Buffer.from(text) };
      refersTo ??= id;
    }
  }
  const content = Buffer.from(JSON.stringify(facts));
  yield { type: 'metadata', id: idOf('metadata'), date, target, refersTo, contentType: JSON_TYPE, content };
}

/** What the site has sent: the page, or the bytes of a file. */
function sourceOf(
  { rawHtml, rawBase64 }: Pick<ExportedDocument, 'rawHtml' | 'rawBase64'>,
  { metadata }: ExportedDocument,
): Pick<WarcRecord, 'contentType' | 'content'> | undefined {
  if (typeof rawHtml === 'string') return { contentType: HTML, content: Buffer.from(rawHtml) };
  if (typeof rawBase64 !== 'string') return undefined;
  const given = String(metadata.contentType ?? '')
    .split(';', 1)[0]!
    .trim();
  return {
    contentType: MEDIA_TYPE.test(given) ? given : 'application/octet-stream',
    content: Buffer.from(rawBase64, 'base64'),
  };
}

/** The final address without its fragment, as archives look it up. Absent for a document whose stored content is lost. */
function targetOf({ metadata }: ExportedDocument): string | undefined {
  const url = URL.parse(String(metadata.url ?? metadata.sourceURL ?? ''));
  if (!url) return undefined;
  url.hash = '';
  return url.href;
}

/** When the page was fetched, as far as that is known. */
function dateOf({ metadata }: ExportedDocument, { createdAt }: Job): Date {
  const cached = Date.parse(metadata.cachedAt ?? '');
  return new Date(Number.isNaN(cached) ? (timeOfUuid(metadata.scrapeId ?? '') ?? createdAt) : cached);
}
