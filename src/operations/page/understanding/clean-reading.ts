// Replaces the Markdown of a page that was read by its clean version, before anything else is made from it.
import type { PageContent } from '../../../page/page.ts';
import { cleanPage } from '../../../understand/clean/clean-page.ts';
import type { MakerTools } from '../../../understand/format-maker.ts';
import { hashOf } from '../../../util/hash.ts';
import { mayStore, type PageOptions } from '../page-request.ts';
import type { ReadPage } from '../reading.ts';

/** Skipped for requests of which nothing may be stored, as the contract says. */
export const isCleaned = (options: PageOptions): boolean => options.onlyCleanContent && mayStore(options);

export async function cleanReading(options: PageOptions, read: ReadPage, tools: () => MakerTools): Promise<ReadPage> {
  const { source, outcome, header } = read;
  if (!isCleaned(options) || !source || outcome.verdict.kind !== 'content') return read;
  const { markdown, warnings } = await cleanPage(source, tools());
  const shown = { ...outcome, content: withMarkdown(outcome.content, markdown) };
  // Other requests for the page look for its usual result, and never find this one.
  const result = { transformKey: hashOf('clean', markdown), outcome: shown, now: header.fetchedAt };
  const { cleanMarkdown: _, ...rest } = source;
  return {
    ...read,
    source: { ...rest, markdown },
    outcome: shown,
    toStore: 'resultId' in read.toStore ? { checked: read.toStore.checked, result } : { ...read.toStore, result },
    derived: {
      ...{ content: {}, ...read.derived },
      warnings: [...(read.derived?.warnings ?? []), ...warnings],
    },
  };
}

/** Only if the Markdown was requested. */
function withMarkdown(content: Uint8Array, markdown: string): Uint8Array {
  const formats = JSON.parse(Buffer.from(content).toString('utf8')) as PageContent;
  return formats.markdown === undefined ? content : Buffer.from(JSON.stringify({ ...formats, markdown }));
}
