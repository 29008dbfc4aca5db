// What happens to a page after it was read: steps that need its whole text, in the order in which they build on each other.

import { ServiceError } from '../../../contracts/errors/errors.ts';
import { traitsOf } from '../../../contracts/formats/format-traits.ts';
import { auditTarget } from '../../../contracts/team/audit-target.ts';
import type { PageContent } from '../../../page/page.ts';
import type { CarriedSource, MadeFormat, SourceNeeds } from '../../../page/understanding.ts';
import type { SecurityEvent, SecurityLog } from '../../../policy/audit/security-log.ts';
import type { Redactor } from '../../../redact/redactor.ts';
import type { Asker } from '../../../runtime/gate/gate.ts';
import { cleanPage } from '../../../understand/clean/clean-page.ts';
import type { MakerTools } from '../../../understand/format-maker.ts';
import { checkInjection } from '../../../understand/injection/check-injection.ts';
import type { DerivedFormat, Understander } from '../../../understand/understander.ts';
import { hashOf } from '../../../util/hash.ts';
import { bypassesCache } from '../cache/page-cache.ts';
import { changeTrackingOf } from '../changes/history-keys.ts';
import { isMissing } from '../missing-formats.ts';
import type { PageWithSource } from '../page.ts';
import { mayStore, type PageOptions } from '../page-request.ts';
import { redactedPage } from './redacted-page.ts';

export interface UnderstandDeps {
  understander: Understander;
  redactor: Redactor;
  security: Pick<SecurityLog, 'record'>;
}

/** What the transform has to give besides the requested formats; undefined if nothing. */
export function sourceNeeds(options: PageOptions): SourceNeeds | undefined {
  const { formats, redactPII } = options;
  const isChecked = checksInjection(options);
  const isClean = isCleaned(options);
  const tracking = changeTrackingOf({ formats });
  // Names are found in sentences, so redaction reads the Markdown even if only links are requested.
  const readsEnd = readersOf('end', formats).length > 0;
  const readsAll = readsEnd || tracking !== undefined || redactPII !== false || isChecked || isClean;
  if (derivedFormats(formats).length === 0 && !readsAll) return undefined;
  const tracksFields = tracking?.modes.includes('json') === true;
  return {
    ...(!readsAll && { start: true as const }),
    ...(isClean && { clean: true as const }),
    ...needOf('data', formats, tracksFields),
    // Orders to a model may be hidden where the Markdown does not have them.
    ...needOf('html', formats, tracksFields || isChecked),
  };
}

const readersOf = (part: 'data' | 'html' | 'end', formats: PageOptions['formats']) =>
  formats.filter(({ type }) => traitsOf(type).reads?.includes(part));

/** A program that fits the page has read what the format reads. */
function needOf(part: 'data' | 'html', formats: PageOptions['formats'], isAnyhow: boolean): SourceNeeds {
  const readers = readersOf(part, formats);
  if (!isAnyhow && readers.length === 0) return {};
  const isSelected = (format: PageOptions['formats'][number]) => format.type === 'deterministicJson' && format.schema;
  return { [part]: !isAnyhow && readers.every(isSelected) ? 'unselected' : true };
}

/** Whether programs run on the page as the transform reads it: no later step changes it. */
export const runsPrograms = (options: PageOptions): boolean =>
  options.redactPII === false &&
  !isCleaned(options) &&
  options.formats.some(({ type }) => type === 'deterministicJson');

interface Asked {
  options: PageOptions;
  asker: Asker;
}

export async function understandPage(
  { understander, redactor, security }: UnderstandDeps,
  asked: Asked,
  read: PageWithSource,
  signal: AbortSignal,
): Promise<PageWithSource> {
  const { options, asker } = asked;
  const spending = { tokens: 0, credits: 0 };
  const isUncached = !options.storeInCache || bypassesCache(options);
  const understanding = { asker, isPrivate: !mayStore(options), spending, isUncached };
  const tools = () => understander.tools(understanding, signal);
  const checked = await refuseInjection(options, read, tools).catch((error) => {
    if (isInjection(error)) security.record(injectionEvent(asked, read));
    throw error;
  });
  const cleaned = await cleanedPage(options, checked, tools);
  const redacted = await redactedPage(redactor, asked, cleaned, signal);
  const made = await makeFormats(options, redacted, (source, formats) =>
    understander.make(source, formats, understanding, signal),
  );
  const { tokens, credits } = spending;
  if (tokens === 0) return made;
  return withDerived(made, { content: {}, warnings: [], credits: Math.ceil(credits), tokens });
}

/** Pages of every verdict are checked: a login wall may carry orders, too. */
async function refuseInjection(
  options: PageOptions,
  read: PageWithSource,
  tools: () => MakerTools,
): Promise<PageWithSource> {
  if (!checksInjection(options) || !read.source) return read;
  return withDerived(read, await checkInjection(read.source, tools()));
}

const isInjection = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'SCRAPE_PROMPT_INJECTION_DETECTED';

const injectionEvent = ({ asker, options }: Asked, { header }: PageWithSource): SecurityEvent => ({
  teamId: asker.team,
  action: 'injection.refused',
  target: auditTarget(header.finalUrl),
  isTraceless: !mayStore(options),
});

/** Skipped for requests of which nothing may be stored, as the contract says. */
const isCleaned = (options: PageOptions): boolean => options.onlyCleanContent && mayStore(options);

/** Replaces the Markdown of the page by its clean version, before anything else is made from it. */
async function cleanedPage(
  options: PageOptions,
  read: PageWithSource,
  tools: () => MakerTools,
): Promise<PageWithSource> {
  const { source, outcome, header } = read;
  if (!isCleaned(options) || !source || outcome.verdict.kind !== 'content') return read;
  const { markdown, warnings } = await cleanPage(source, tools());
  const shown = { ...outcome, content: withMarkdown(outcome.content, markdown) };
  // Other requests for the page look for its usual result, and never find this one.
  const result = { transformKey: hashOf('clean', markdown), outcome: shown, now: header.fetchedAt };
  const { cleanMarkdown: _, pageStarts, ...rest } = source;
  return {
    ...read,
    source: { ...rest, markdown, ...(pageStarts && markdown === source.markdown && { pageStarts }) },
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

type Make = (source: CarriedSource, formats: readonly DerivedFormat[]) => Promise<MadeFormat>;

async function makeFormats(options: PageOptions, page: PageWithSource, make: Make): Promise<PageWithSource> {
  const { source, outcome, missing } = page;
  if (!source || outcome.verdict.kind !== 'content') return page;
  const formats = derivedFormats(options.formats).filter(({ type }) => !isMissing(type, missing));
  return formats.length === 0 ? page : withDerived(page, await make(source, formats));
}

const withDerived = (page: PageWithSource, made: MadeFormat): PageWithSource => ({
  ...page,
  derived: addedTo(page.derived, made),
});

/** The option, or its older place inside of `json`. */
const checksInjection = ({ checkPromptInjection, formats }: PageOptions): boolean =>
  checkPromptInjection || formats.some((format) => format.type === 'json' && format.checkPromptInjection);

const derivedFormats = (formats: PageOptions['formats']): DerivedFormat[] =>
  formats.filter((format): format is DerivedFormat => traitsOf(format.type).stage === 'understanding');

export const addedTo = (before: MadeFormat | undefined, made: MadeFormat): MadeFormat => ({
  content: { ...before?.content, ...made.content },
  warnings: [...(before?.warnings ?? []), ...made.warnings],
  citations: { ...before?.citations, ...made.citations },
  credits: (before?.credits ?? 0) + (made.credits ?? 0),
  tokens: (before?.tokens ?? 0) + (made.tokens ?? 0),
  windowsRead: (before?.windowsRead ?? 0) + (made.windowsRead ?? 0),
});
