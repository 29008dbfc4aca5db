// Says why a request that may only read the cache found nothing, and which option would have made it succeed.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { ScrapeOptions } from '../../../contracts/scrape/scrape-options.ts';
import type { PageVariant } from '../../../page/page.ts';
import type { CachedVariant } from '../../../store/ports/pages/page-store.ts';
import { iso } from '../../../util/clock.ts';
import { acceptedAge, privateOptions } from './page-cache.ts';

/** `known` is what is cached of the URL. The message never contains the URL, which `lockdown` must not log. */
export function cacheMiss(
  options: ScrapeOptions,
  wanted: PageVariant,
  known: readonly CachedVariant[],
  now: number,
): ServiceError {
  const code = missCode(options);
  const hint = privateHint(options) ?? variantHint(options, wanted, known, now);
  if (hint === undefined) return new ServiceError(code);
  const message = `The cache has no copy of the page for these options. ${hint} To scrape the page now, leave out \`${options.lockdown ? 'lockdown' : 'minAge'}\`.`;
  return new ServiceError(code, { message });
}

/** The code for what a request wanted from the cache and did not find there. */
export const missCode = ({ lockdown }: ScrapeOptions) =>
  lockdown ? 'SCRAPE_LOCKDOWN_CACHE_MISS' : 'SCRAPE_NO_CACHED_DATA';

function privateHint(options: ScrapeOptions): string | undefined {
  const names = privateOptions(options);
  if (names.length === 0) return undefined;
  return `Requests with ${names.map((name) => `\`${name}\``).join(' and ')} never read the cache. Leave that out to read it.`;
}

/** About the copy that differs least from what was requested. */
function variantHint(
  options: ScrapeOptions,
  wanted: PageVariant,
  known: readonly CachedVariant[],
  now: number,
): string | undefined {
  const [closest] = known
    .map(({ variant, isVerified, fetchedAt }) => ({
      fetchedAt,
      differences: [
        ...variantDifferences(wanted, variant),
        ...(!isVerified && !options.skipTlsVerification ? ['`skipTlsVerification: true`'] : []),
      ],
    }))
    .sort((a, b) => a.differences.length - b.differences.length);
  if (!closest) return undefined;
  const { differences, fetchedAt } = closest;
  const ageHint = ageProblem(options, fetchedAt, now);
  if (differences.length === 0) return ageHint;
  const copy = `A copy exists for ${differences.join(', ')}; send ${differences.length > 1 ? 'these options' : 'that option'} to get it.`;
  return ageHint === undefined ? copy : `${copy} ${ageHint}`;
}

function ageProblem(options: ScrapeOptions, fetchedAt: number, now: number): string | undefined {
  const age = acceptedAge(options, now);
  if (!age || (fetchedAt >= age.from && fetchedAt <= age.until)) return undefined;
  const option = fetchedAt < age.from ? 'maxAge' : 'minAge';
  return `That copy was fetched at ${iso(fetchedAt)}, which \`${option}\` excludes.`;
}

/** The options of the cached variant that differ from the wanted one, as they would be sent. */
function variantDifferences(wanted: PageVariant, cached: PageVariant): string[] {
  const names = Object.keys(wanted) as (keyof PageVariant)[];
  return names
    .filter((name) => JSON.stringify(wanted[name]) !== JSON.stringify(cached[name]))
    .map((name) => `\`${name}: ${JSON.stringify(cached[name])}\``);
}
