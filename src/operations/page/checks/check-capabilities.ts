// What this server can do of a request, before any work starts: refuses options that it must not ignore, collects
// warnings about those that it ignores, and sorts out formats that it cannot make.
import { IGNORED_OPTIONS, NEED_BROWSER, REFUSED_OPTIONS } from '../../../contracts/capabilities.ts';
import { type ErrorDetail, ServiceError } from '../../../contracts/errors.ts';
import type { FormatType } from '../../../contracts/formats.ts';
import { redactionOptions } from '../../../contracts/redaction.ts';
import type { ScrapeOptions } from '../../../contracts/scrape-options.ts';
import type { RenderingEngine } from '../../../fetch/engine.ts';
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

/** The path of the object in the request that contains the option. */
type PathPrefix = (option: string) => string[];

/** Throws ServiceError for options whose absence would mislead the caller, and if no format is left. */
export function checkCapabilities<Options extends Asked>(
  options: Options,
  { browser, media, redactor }: CapabilityDeps,
  prefixOf: PathPrefix = () => [],
): Capable<Options> {
  checkRedaction(options, redactor);
  const noBrowser = browser.unavailable();
  const refused = [
    ...refusedOptions(options),
    ...(options.profile && noBrowser !== undefined
      ? [unsupportedDetail(['profile'], `${NEED_BROWSER.profile} ${noBrowser}`)]
      : []),
  ].map(({ path, ...detail }) => ({ ...detail, path: [...prefixOf(String(path[0])), ...path] }));
  if (refused.length > 0) {
    throw new ServiceError('BAD_REQUEST', {
      message: refused.map((detail) => detail.message).join(' '),
      details: refused,
    });
  }
  if (options.actions.length > 0 && noBrowser !== undefined) {
    throw new ServiceError('SCRAPE_ACTIONS_NOT_SUPPORTED', { message: `${NEED_BROWSER.actions} ${noBrowser}` });
  }
  const noMedia = mediaProblem(options, media);
  const missing = options.formats.flatMap(({ type }, index): MissingFormat[] => {
    const path = [...prefixOf('formats'), 'formats', index];
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

function ignoredOptions(options: Asked, noBrowser: string | undefined): string[] {
  const warnings: string[] = [];
  if (options.onlyCleanContent && (options.zeroDataRetention || options.lockdown))
    warnings.push(IGNORED_OPTIONS.onlyCleanContent);
  if (options.waitFor > 0 && noBrowser !== undefined) warnings.push(IGNORED_OPTIONS.waitFor);
  if (options.mobile && noBrowser !== undefined) warnings.push(IGNORED_OPTIONS.mobile);
  return warnings;
}

/** For requests without page options: nothing applies a threat policy yet, so none may be asked for. */
export function refuseThreatProtection({ threatProtection }: { threatProtection?: unknown }): void {
  if (threatProtection === undefined) return;
  const detail = refusedOption('threatProtection');
  throw new ServiceError('BAD_REQUEST', { message: detail.message, details: [detail] });
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
  if (type === 'audio' || type === 'video') return noMedia;
  if (type === 'branding' && noBrowser !== undefined) {
    return new ServiceError('SCRAPE_BRANDING_NOT_SUPPORTED', { message: `${NEED_BROWSER.branding} ${noBrowser}` });
  }
  if (type === 'screenshot' && noBrowser !== undefined) {
    return refusedFormat(path, `${NEED_BROWSER.screenshot} ${noBrowser}`);
  }
  return undefined;
}

const refusedFormat = (path: (string | number)[], message: string): ServiceError =>
  new ServiceError('BAD_REQUEST', { message, details: [unsupportedDetail(path, message)] });

function refusedOptions(options: ScrapeOptions): ErrorDetail[] {
  const asked = {
    safeMode: options.safeMode,
    threatProtection: options.threatProtection !== undefined,
  };
  return (Object.keys(asked) as (keyof typeof asked)[]).filter((name) => asked[name]).map(refusedOption);
}

const refusedOption = (name: keyof typeof REFUSED_OPTIONS): ErrorDetail =>
  unsupportedDetail([name], `The option '${name}' ${REFUSED_OPTIONS[name]}.`);

const unsupportedDetail = (path: (string | number)[], message: string): ErrorDetail => ({
  code: 'unsupported',
  path,
  message,
});
