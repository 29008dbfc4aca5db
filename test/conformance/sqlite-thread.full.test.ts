// The embedded store in a thread of its own passes the suites whose calls move bytes between threads. The others run on the
// same store without a thread.
import { testDeliveryStore } from './deliveries.ts';
import { testFileStore } from './files.ts';
import { testPageHistory } from './history.ts';
import { testIndexFeed } from './index-feed.ts';
import { testJobResults } from './job-results.ts';
import { openSqliteInThread } from './open-sqlite.ts';
import { testProfileStore } from './profiles.ts';
import { testScrapeStore } from './scrapes.ts';
import { testUploadStore } from './uploads.ts';

const adapter = 'sqlite in a thread';
testScrapeStore(adapter, openSqliteInThread);
testPageHistory(adapter, openSqliteInThread);
testIndexFeed(adapter, openSqliteInThread);
testFileStore(adapter, openSqliteInThread);
testProfileStore(adapter, openSqliteInThread);
testUploadStore(adapter, openSqliteInThread);
testJobResults(adapter, openSqliteInThread);
testDeliveryStore(adapter, openSqliteInThread);
