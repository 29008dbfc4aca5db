// The store thread. It alone owns the connection, so that neither SQL nor compression blocks the event loop of the
// service.
import { workerData } from 'node:worker_threads';
import { serveThread } from '../../runtime/threads/thread.ts';
import { hostStore, type StoreThread, type StoreThreadSettings } from './hosted-store.ts';

serveThread<StoreThread>(hostStore(workerData as StoreThreadSettings));
