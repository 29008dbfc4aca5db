// Refuses what nothing here can serve yet and names what is left out, before anything is started.
import { IGNORED_OPTIONS, NEED_BROWSER, REFUSED_OPTIONS, UNSERVED_FORMATS } from '../../contracts/capabilities.ts';
import { type ErrorDetail, ServiceError } from '../../contracts/errors.ts';
import type { ScrapeOptions } from '../../contracts/scrape-options.ts';
import type { RenderingEngine } from '../../fetch/engine.ts';
import type { Egress } from '../../net/egress.ts';
import { type MediaCollector, mediaFormats, refuseTraceless } from './media.ts';

export interface Means {
  features: readonly string[];
  egress: Pick<Egress, 'hasProxy'>;
  browser: Pick<RenderingEngine, 'unavailable'>;
  media: Pick<MediaCollector, 'unavailable'>;
}

type Asked = ScrapeOptions & { zeroDataRetention?: boolean };

/** Where in the request an option stands: the path in front of its name. */
type Place = (option: string) => string[];

/** Returns the warnings that belong to the answer. Throws ServiceError when the request cannot be served honestly. */
export function checkCapabilities(
  options: Asked,
  { features, egress, browser, media }: Means,
  placeOf: Place = () => [],
): string[] {
  if (options.threatProtection && !features.includes('threat-protection')) {
    throw new ServiceError('FEATURE_NOT_ENABLED', {
      message: 'Threat protection is not enabled for your team (TRAWL_TEAM_FEATURES).',
    });
  }
  if (options.zeroDataRetention && !features.includes('zdr')) {
    throw new ServiceError('FEATURE_NOT_ENABLED', {
      message: 'Zero data retention is not enabled for your team (TRAWL_TEAM_FEATURES).',
    });
  }
  const noBrowser = browser.unavailable();
  const details = [
    ...unservedFormats(options),
    ...refusedOptions(options),
    ...(noBrowser === undefined ? [] : unservedWithout(noBrowser, options)),
  ].map(({ path, ...detail }) => ({
    ...detail,
    path: [...placeOf(String(path[0])), ...path],
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
  if (options.proxy === 'enhanced' && !egress.hasProxy('enhanced')) warnings.push(IGNORED_OPTIONS.enhancedProxy);
  return warnings;
}

function checkMedia({ zeroDataRetention = false, lockdown }: Asked, media: Means['media']): void {
  if (zeroDataRetention || lockdown) throw refuseTraceless();
  const noMedia = media.unavailable();
  if (noMedia !== undefined) throw new ServiceError('NO_MEDIA_TOOLS', { message: noMedia });
}

const unservedFormats = (options: ScrapeOptions): ErrorDetail[] =>
  options.formats.flatMap(({ type }, index) => {
    const reason = UNSERVED_FORMATS[type];
    return reason ? [unsupported(['formats', index], `The format '${type}' ${reason}.`)] : [];
  });

const unservedWithout = (reason: string, { formats, profile }: ScrapeOptions): ErrorDetail[] => [
  ...formats.flatMap(({ type }, index) =>
    type === 'screenshot' ? [unsupported(['formats', index], `${NEED_BROWSER.screenshot} ${reason}`)] : [],
  ),
  ...(profile ? [unsupported(['profile'], `${NEED_BROWSER.profile} ${reason}`)] : []),
];

function refusedOptions(options: ScrapeOptions): ErrorDetail[] {
  const asked = {
    redactPII: options.redactPII !== false,
    safeMode: options.safeMode,
    threatProtection: options.threatProtection !== undefined,
  };
  return (Object.keys(asked) as (keyof typeof asked)[])
    .filter((name) => asked[name])
    .map((name) => unsupported([name], `The option '${name}' ${REFUSED_OPTIONS[name]}.`));
}

const unsupported = (path: (string | number)[], message: string): ErrorDetail => ({
  code: 'unsupported',
  path,
  message,
});
