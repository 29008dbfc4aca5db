// Settings of the data folder's size.
import { readRetention } from '../../contracts/retention.ts';
import { SettingError } from '../../util/setting-error.ts';
import { integer, megabytes, readBy, setting } from '../rules.ts';

export const STORAGE_SETTINGS = {
  cacheMaxBytes: setting(
    'TRAWL_CACHE_MAX_MB',
    '10240',
    megabytes(10_240),
    'Size of the page cache. The least recently used pages are evicted first.',
  ),
  maxRetentionMs: setting(
    'TRAWL_MAX_RETENTION',
    '30d',
    readBy(duration).default(() => duration('30d')),
    'The longest time for which a request may ask that its results are kept (`retention`), in hours or days, such as 12h or 30d.',
  ),
  minFreeBytes: setting(
    'TRAWL_MIN_FREE_MB',
    '100',
    integer(100, 0, 1_048_576).transform((mb) => mb * 1_048_576),
    'Cached pages are evicted while the disk of the data folder has less free space than this.',
  ),
};

function duration(text: string): number {
  const ms = readRetention(text.trim());
  if (ms === undefined) throw new SettingError('it must be hours or days, such as 12h or 30d');
  return ms;
}
