// GET /v2/health/disk: what takes up space in the data folder, and how much is left.
import { z } from 'zod';
import { serviceProcess } from './service-process.ts';

const FOLDER_PARTS = ['store', 'index', 'blobs', 'uploads', 'reserve', 'other'] as const;

export const healthDiskResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      process: serviceProcess.describe('Whose data folder this is.'),
      folder: z.string().describe('The data folder.'),
      parts: z
        .array(
          z.object({
            part: z
              .enum(FOLDER_PARTS)
              .describe(
                'store: the database. index: the search index. blobs: large pages, results and files. uploads: files that are being received. reserve: space that is given up on a full disk.',
              ),
            bytes: z.int(),
            files: z.int(),
            estimate: z.boolean().describe('Whether only some of many files were measured.'),
          }),
        )
        .describe('The parts of the data folder.'),
      totalBytes: z.int().describe('All parts together.'),
      freeBytes: z.int().describe('Free on the disk, for this service.'),
      diskBytes: z.int().describe('Size of the disk.'),
      minFreeBytes: z.int().describe('With less free space, cached pages are removed (TRAWL_MIN_FREE_MB).'),
      cacheBytes: z.int().describe('Cached pages with their results, in `store` and `blobs`.'),
      cacheMaxBytes: z
        .int()
        .describe('Above this size, the least recently used pages are removed (TRAWL_CACHE_MAX_MB).'),
    }),
  }),
);

export type HealthDiskResponse = z.output<typeof healthDiskResponse>;
