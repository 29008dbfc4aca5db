// What happens to a page after it was read: steps that need its whole text, in the order in which they build on each other.
import type { FormatType } from '../../contracts/formats.ts';
import { DERIVED_FORMATS, type MadeFormat, type SourceNeeds } from '../../contracts/understanding.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { DerivedFormat, Understander } from '../../understand/understander.ts';
import type { Asker } from '../../util/gate/gate.ts';
import { changeTrackingOf } from './changes/history-keys.ts';
import { isMissing } from './missing-formats.ts';
import { mayStore, type PageOptions } from './page-request.ts';
import type { ReadPage } from './reading.ts';
import { redactReading } from './redact-reading.ts';

export interface UnderstandDeps {
  understander: Understander;
  redactor: Redactor;
}

const DATA_FORMATS: readonly FormatType[] = ['json', 'deterministicJson', 'product', 'menu', 'knowledgeGraph'];
const HTML_FORMATS: readonly FormatType[] = ['json', 'deterministicJson'];

/** What the transform has to give besides the requested formats; undefined if nothing. */
export function sourceNeeds({ formats, redactPII }: PageOptions): SourceNeeds | undefined {
  const types = formats.map(({ type }) => type);
  const tracking = changeTrackingOf({ formats });
  // Names are found in sentences, so redaction reads the Markdown even if only links are requested.
  if (derivedFormats(formats).length === 0 && !tracking && redactPII === false) return undefined;
  const tracksFields = tracking?.modes.includes('json') && tracking.schema !== undefined;
  return {
    ...((tracksFields || types.some((type) => DATA_FORMATS.includes(type))) && { data: true as const }),
    ...((tracksFields || types.some((type) => HTML_FORMATS.includes(type))) && { html: true as const }),
  };
}

export async function understandPage(
  { understander, redactor }: UnderstandDeps,
  { options, asker }: { options: PageOptions; asker: Asker },
  read: ReadPage,
  signal: AbortSignal,
): Promise<ReadPage> {
  const reading = await redactReading(redactor, { options, asker }, read, signal);
  const { source } = reading;
  if (!source || reading.outcome.verdict.kind !== 'content') return reading;
  const formats = derivedFormats(options.formats).filter(({ type }) => !isMissing(type, reading.missing));
  if (formats.length === 0) return reading;
  const spending = { tokens: 0, credits: 0 };
  const derived = await understander.make(source, formats, { asker, isPrivate: !mayStore(options), spending }, signal);
  const credits = (derived.credits ?? 0) + Math.ceil(spending.credits);
  return { ...reading, derived: addedTo(reading.derived, { ...derived, credits }) };
}

const derivedFormats = (formats: PageOptions['formats']): DerivedFormat[] =>
  formats.filter((format): format is DerivedFormat => (DERIVED_FORMATS as readonly FormatType[]).includes(format.type));

export const addedTo = (before: MadeFormat | undefined, made: MadeFormat): MadeFormat => ({
  content: { ...before?.content, ...made.content },
  warnings: [...(before?.warnings ?? []), ...made.warnings],
  citations: { ...before?.citations, ...made.citations },
  credits: (before?.credits ?? 0) + (made.credits ?? 0),
});
