// Settings of the data folder's size.
import { integer, megabytes, setting } from '../rules.ts';

export const STORAGE_SETTINGS = {
  cacheMaxBytes: setting(
    'TRAWL_CACHE_MAX_MB',
    '10240',
    megabytes(10_240),
    'Size of the page cache. The least recently used pages are evicted first.',
  ),
  minFreeBytes: setting(
    'TRAWL_MIN_FREE_MB',
    '100',
    integer(100, 0, 1_048_576).transform((mb) => mb * 1_048_576),
    'Cached pages are evicted while the disk of the data folder has less free space than this.',
  ),
};
