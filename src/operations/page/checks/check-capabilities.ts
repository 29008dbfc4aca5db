// What this server can do of a request, before any work starts: refuses options that it must not ignore, collects
// warnings about those that it ignores, and sorts out formats that it cannot make.

import { type ErrorDetail, ServiceError } from '../../../contracts/errors/errors.ts';
import { type FormatType, traitsOf } from '../../../contracts/formats/format-traits.ts';
import { formatNeedsBrowser, IGNORED_OPTIONS, NEED_BROWSER } from '../../../contracts/scrape/capabilities.ts';

import { redactionOptions } from '../../../contracts/scrape/redaction.ts';
import { MAX_TIMEOUT_MS, type ScrapeOptions } from '../../../contracts/scrape/scrape-options.ts';
import type { RenderingEngine } from '../../../fetch/engine.ts';
import { refuseUnsafeOptions } from '../../../policy/threats/safe-mode.ts';
import type { Redactor } from '../../../redact/redactor.ts';
import { type MediaCollector, mediaFormats, mediaNeedsStorage } from '../media.ts';
import { isMissing, type MissingFormat, requireOneFormat } from '../missing-formats.ts';

export interface CapabilityDeps {
  browser: Pick<RenderingEngine, 'unavailable'>;
  media: Pick<MediaCollector, 'unavailable'>;
  redactor: Pick<Redactor, 'unavailable'>;
}

type Asked = ScrapeOptions & { zeroDataRetention?: boolean };

export interface Capable<Options> {
  /** The options, with the formats that can be made. */
  options: Options;
  missing: MissingFormat[];
  /** Sentences for the answer about ignored options. */
  warnings: string[];
}

/** `inside`: the path of the options in the request. Throws ServiceError for options whose absence would mislead the caller, and if no format is left. */
export function checkCapabilities<Options extends Asked>(
  options: Options,
  { browser, media, redactor }: CapabilityDeps,
  inside: readonly string[] = [],
): Capable<Options> {
  refuseUnsafeOptions(options);
  if (options.archive && options.zeroDataRetention) throw new ServiceError('ARCHIVE_NEEDS_STORAGE');
  checkRedaction(options, redactor);
  const noBrowser = browser.unavailable();
  if (options.profile && noBrowser !== undefined) {
    const message = `${NEED_BROWSER.profile} ${noBrowser}`;
    const detail = unsupportedDetail([...inside, 'profile'], message);
    throw new ServiceError('BAD_REQUEST', { message, details: [detail] });
  }
  if (options.actions.length > 0 && noBrowser !== undefined) {
    throw new ServiceError('SCRAPE_ACTIONS_NOT_SUPPORTED', { message: `${NEED_BROWSER.actions} ${noBrowser}` });
  }
  const noMedia = mediaProblem(options, media);
  const missing = options.formats.flatMap(({ type }, index): MissingFormat[] => {
    const path = [...inside, 'formats', index];
    const reason = formatProblem(type, path, noBrowser, noMedia);
    return reason ? [{ type, reason }] : [];
  });
  requireOneFormat(options.formats, missing);
  const formats = options.formats.filter(({ type }) => !isMissing(type, missing));
  return { options: { ...options, formats }, missing, warnings: ignoredOptions(options, noBrowser) };
}

/** A weaker mode is never used instead. */
function checkRedaction({ redactPII }: Asked, redactor: CapabilityDeps['redactor']): void {
  const asked = redactionOptions(redactPII);
  const problem = asked && redactor.unavailable(asked);
  if (problem === undefined) return;
  throw new ServiceError('PII_MODEL_UNAVAILABLE', {
    message: `${problem} \`redactPII\` with \`mode: fast\` works without it, and finds fewer names.`,
  });
}

const SHORTENED = `\`timeout\` counts as ${MAX_TIMEOUT_MS} milliseconds, the most that a page is given.`;

function ignoredOptions(options: Asked, noBrowser: string | undefined): string[] {
  const warnings: string[] = [];
  if (options.onlyCleanContent && (options.zeroDataRetention || options.lockdown))
    warnings.push(IGNORED_OPTIONS.onlyCleanContent);
  if (options.timeout > MAX_TIMEOUT_MS) warnings.push(SHORTENED);
  if (options.waitFor > 0 && noBrowser !== undefined) warnings.push(IGNORED_OPTIONS.waitFor);
  if (options.mobile && noBrowser !== undefined) warnings.push(IGNORED_OPTIONS.mobile);
  return warnings;
}

/** Why audio and video cannot be had, whatever the page. */
function mediaProblem(
  { formats, zeroDataRetention = false, lockdown }: Asked,
  media: CapabilityDeps['media'],
): ServiceError | undefined {
  if (mediaFormats(formats).length === 0) return undefined;
  if (zeroDataRetention || lockdown) return mediaNeedsStorage();
  const noTools = media.unavailable();
  return noTools === undefined ? undefined : new ServiceError('NO_MEDIA_TOOLS', { message: noTools });
}

function formatProblem(
  type: FormatType,
  path: (string | number)[],
  noBrowser: string | undefined,
  noMedia: ServiceError | undefined,
): ServiceError | undefined {
  const { stage, isShown } = traitsOf(type);
  if (stage === 'download') return noMedia;
  if (!isShown || noBrowser === undefined) return undefined;
  const message = `${formatNeedsBrowser(type)} ${noBrowser}`;
  return type === 'branding'
    ? new ServiceError('SCRAPE_BRANDING_NOT_SUPPORTED', { message })
    : refusedFormat(path, message);
}

const refusedFormat = (path: (string | number)[], message: string): ServiceError =>
  new ServiceError('BAD_REQUEST', { message, details: [unsupportedDetail(path, message)] });

const unsupportedDetail = (path: (string | number)[], message: string): ErrorDetail => ({
  code: 'unsupported',
  path,
  message,
});
