// The embedded store passes the suites about pages, files and jobs also if every body is in an object store.
import { openS3 } from '../../src/store/blobs/s3/open-s3.ts';
import { startWithoutThread } from '../support/store-without-thread.ts';
import { startMemoryBucket } from '../unit/store/blobs/s3/object-server.ts';
import { openTemporaryStore } from '../unit/store/temporary-folder.ts';
import { testFileStore } from './files.ts';
import { testPageHistory } from './history.ts';
import { testIndexFeed } from './index-feed.ts';
import { testJobResults } from './job-results.ts';
import { testPageOwners } from './page-owners.ts';
import { testPageStore } from './pages.ts';
import { testProfileStore } from './profiles.ts';
import type { OpenStore } from './samples.ts';
import { testScrapeStore } from './scrapes.ts';
import { testStoredPages } from './stored-pages.ts';
import { testUploadStore } from './uploads.ts';

const open: OpenStore = async (t, limits) => {
  const { settings } = await startMemoryBucket(t);
  const { store } = await openTemporaryStore(t, {
    ...limits,
    start: startWithoutThread,
    largestRowBytes: 0,
    objects: {
      settings,
      open: (isInUse) => openS3(settings, { owner: 'of a test', isInUse }),
      times: { pauseMs: 1, retryMs: 1, keepMs: 0, sweepMs: 1 },
    },
  });
  return store;
};

const adapter = 'sqlite with an object store';
testPageStore(adapter, open);
testPageOwners(adapter, open);
testScrapeStore(adapter, open);
testPageHistory(adapter, open);
testIndexFeed(adapter, open);
testStoredPages(adapter, open);
testFileStore(adapter, open);
testProfileStore(adapter, open);
testUploadStore(adapter, open);
testJobResults(adapter, open);
