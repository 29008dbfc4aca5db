// Refuses unsupported options and collects warnings about ignored ones, before any work starts.
import { IGNORED_OPTIONS, NEED_BROWSER, REFUSED_OPTIONS, UNSUPPORTED_FORMATS } from '../../contracts/capabilities.ts';
import { type ErrorDetail, ServiceError } from '../../contracts/errors.ts';
import type { ScrapeOptions } from '../../contracts/scrape-options.ts';
import type { RenderingEngine } from '../../fetch/engine.ts';
import { type MediaCollector, mediaFormats, mediaNeedsStorage } from './media.ts';

export interface CapabilityDeps {
  features: readonly string[];
  browser: Pick<RenderingEngine, 'unavailable'>;
  media: Pick<MediaCollector, 'unavailable'>;
}

type Asked = ScrapeOptions & { zeroDataRetention?: boolean };

/** The path of the object in the request that contains the option. */
type PathPrefix = (option: string) => string[];

/** Returns warnings for the answer. Throws ServiceError for options whose absence would mislead the caller. */
export function checkCapabilities(
  options: Asked,
  { features, browser, media }: CapabilityDeps,
  prefixOf: PathPrefix = () => [],
): string[] {
  checkThreatFeature(options, features);
  if (options.zeroDataRetention && !features.includes('zdr')) {
    throw new ServiceError('FEATURE_NOT_ENABLED', {
      message: 'Zero data retention is not enabled for your team (TRAWL_TEAM_FEATURES).',
    });
  }
  const noBrowser = browser.unavailable();
  const details = [
    ...unsupportedFormats(options),
    ...refusedOptions(options),
    ...(noBrowser === undefined ? [] : needingBrowser(noBrowser, options)),
  ].map(({ path, ...detail }) => ({
    ...detail,
    path: [...prefixOf(String(path[0])), ...path],
  }));
  if (details.length > 0) {
    throw new ServiceError('BAD_REQUEST', { message: details.map((detail) => detail.message).join(' '), details });
  }
  if (options.actions.length > 0 && noBrowser !== undefined) {
    throw new ServiceError('SCRAPE_ACTIONS_NOT_SUPPORTED', { message: `${NEED_BROWSER.actions} ${noBrowser}` });
  }
  if (mediaFormats(options.formats).length > 0) checkMedia(options, media);

  const warnings: string[] = [];
  if (options.onlyCleanContent) warnings.push(IGNORED_OPTIONS.onlyCleanContent);
  if (options.waitFor > 0 && noBrowser !== undefined) warnings.push(IGNORED_OPTIONS.waitFor);
  if (options.mobile && noBrowser !== undefined) warnings.push(IGNORED_OPTIONS.mobile);
  return warnings;
}

/** For requests without page options: nothing applies a threat policy yet, so none may be asked for. */
export function refuseThreatProtection(asked: { threatProtection?: unknown }, features: readonly string[]): void {
  checkThreatFeature(asked, features);
  if (asked.threatProtection === undefined) return;
  const detail = refusedOption('threatProtection');
  throw new ServiceError('BAD_REQUEST', { message: detail.message, details: [detail] });
}

function checkThreatFeature({ threatProtection }: { threatProtection?: unknown }, features: readonly string[]): void {
  if (threatProtection === undefined || features.includes('threat-protection')) return;
  throw new ServiceError('FEATURE_NOT_ENABLED', {
    message: 'Threat protection is not enabled for your team (TRAWL_TEAM_FEATURES).',
  });
}

function checkMedia({ zeroDataRetention = false, lockdown }: Asked, media: CapabilityDeps['media']): void {
  if (zeroDataRetention || lockdown) throw mediaNeedsStorage();
  const noMedia = media.unavailable();
  if (noMedia !== undefined) throw new ServiceError('NO_MEDIA_TOOLS', { message: noMedia });
}

const unsupportedFormats = (options: ScrapeOptions): ErrorDetail[] =>
  options.formats.flatMap(({ type }, index) => {
    const reason = UNSUPPORTED_FORMATS[type];
    return reason ? [unsupportedDetail(['formats', index], `The format '${type}' ${reason}.`)] : [];
  });

const needingBrowser = (reason: string, { formats, profile }: ScrapeOptions): ErrorDetail[] => [
  ...formats.flatMap(({ type }, index) =>
    type === 'screenshot' ? [unsupportedDetail(['formats', index], `${NEED_BROWSER.screenshot} ${reason}`)] : [],
  ),
  ...(profile ? [unsupportedDetail(['profile'], `${NEED_BROWSER.profile} ${reason}`)] : []),
];

function refusedOptions(options: ScrapeOptions): ErrorDetail[] {
  const asked = {
    redactPII: options.redactPII !== false,
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
