// The entry point of a redaction thread: everything but the classifier, which has a thread of its own.
import { platform, setPriority } from 'node:os';
import type { RedactionOptions } from '../contracts/scrape/redaction.ts';
import type { LabelledSpan } from '../encoders/names/label-spans.ts';
import type { PageContent } from '../page/page.ts';
import { type CarriedSource, carriedSource, openSource } from '../page/understanding.ts';
import { Moved, serveThread } from '../runtime/threads/thread.ts';
import type { Ready } from '../runtime/threads/threads.ts';
import { fromJsonBytes, toJsonBytes } from '../util/json/json-bytes.ts';
import { redactPage, sentencesOf } from './page/redact-page.ts';
import type { RedactablePage } from './page/redactable-page.ts';

// Lets the event loop of the main thread go first. Only on Linux does the priority apply to a single thread.
if (platform() === 'linux') setPriority(10);

/** A page as the transform returns it, with its content as JSON in UTF-8. */
export interface SerialisedPage extends Omit<RedactablePage, 'content' | 'source'> {
  content: Uint8Array;
  source: CarriedSource;
}

export interface RedactThread extends Ready {
  /** What the classifier has to read. */
  sentences(page: SerialisedPage): Promise<string>;
  redact(page: SerialisedPage, options: RedactionOptions, spans: readonly LabelledSpan[]): Promise<SerialisedPage>;
}

serveThread<RedactThread>({
  ready: () => {},
  sentences: (page) => sentencesOf(parsed(page)),
  redact(page, options, spans) {
    const { content, source, ...rest } = redactPage(parsed(page), options, spans);
    const bytes = toJsonBytes(content);
    const carried = carriedSource(source);
    const moved = carried.data ? [bytes.buffer, carried.data.buffer] : [bytes.buffer];
    return new Moved({ ...rest, content: bytes, source: carried }, moved);
  },
});

const parsed = ({ content, source, ...page }: SerialisedPage): RedactablePage => ({
  ...page,
  content: fromJsonBytes<PageContent>(content),
  source: openSource(source),
});
