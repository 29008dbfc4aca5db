// Makes the definition of a collection from a request, or refuses what its runs could not do.
import type { CollectionDefinition, PutCollectionRequest } from '../../contracts/collection/collection.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Format } from '../../contracts/formats/formats.ts';
import type { Caller } from '../caller.ts';
import { type CheckTargetsDeps, checkTargets } from '../monitor/check-targets.ts';
import { scheduleOf, withIds } from '../monitor/define-monitor.ts';
import { storedLimits } from '../threats/stored-limits.ts';

const CHUNKS: Format = { type: 'chunks', maxTokens: 400, overlap: 0 };

/** `known` is what it was until now: a target that reads the same as before stays the same target. */
export async function defineCollection(
  deps: CheckTargetsDeps,
  caller: Caller,
  request: PutCollectionRequest,
  known: CollectionDefinition | undefined,
  baseUrl: string,
): Promise<CollectionDefinition> {
  const { targets, scrapeOptions, retentionDays, schedule } = request;
  if (request.zeroDataRetention) throw new ServiceError('BAD_REQUEST', { message: NO_ZERO_RETENTION });
  await checkTargets(deps, caller, targets, baseUrl);
  await checkTargets(deps, caller, [{ type: 'scrape', urls: [], scrapeOptions }], baseUrl);
  return {
    targets: withIds(targets, known?.targets ?? []).flatMap((target) =>
      target.type === 'search' ? [] : [{ ...target, scrapeOptions: withChunks(target.scrapeOptions) }],
    ),
    scrapeOptions: withChunks(scrapeOptions),
    retentionDays,
    ...(schedule && { schedule: scheduleOf(schedule) }),
    ...storedLimits(caller),
    baseUrl,
  };
}

const NO_ZERO_RETENTION =
  'Collections are not supported with zero data retention: a collection consists of stored pages. Use POST /v2/batch/scrape or POST /v2/crawl.';

/** `changes` names the chunks of a page, so they are always made. */
export const withChunks = <Options extends { formats: Format[] }>(options: Options): Options =>
  options.formats.some(({ type }) => type === 'chunks')
    ? options
    : { ...options, formats: [...options.formats, CHUNKS] };
