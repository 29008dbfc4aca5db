// Crawls and batches: the calls that control them are the same but for their names.
import type { KeyedOperation } from '../../contracts/route-types.ts';

export const CRAWL = {
  name: 'crawl',
  calls: {
    status: 'crawlStatus',
    errors: 'crawlErrors',
    cancel: 'cancelCrawl',
    pause: 'pauseCrawl',
    resume: 'resumeCrawl',
    retry: 'retryCrawl',
    export: 'exportCrawl',
    storeExport: 'storeCrawlExport',
  },
} as const satisfies { name: string; calls: Record<string, KeyedOperation> };

export const BATCH = {
  name: 'batch',
  calls: {
    status: 'batchStatus',
    errors: 'batchErrors',
    cancel: 'cancelBatch',
    pause: 'pauseBatch',
    resume: 'resumeBatch',
    retry: 'retryBatch',
    export: 'exportBatch',
    storeExport: 'storeBatchExport',
  },
} as const satisfies { name: string; calls: Record<keyof (typeof CRAWL)['calls'], KeyedOperation> };

export type JobCalls = typeof CRAWL | typeof BATCH;
