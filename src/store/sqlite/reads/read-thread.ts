// The thread that reads while the store writes.
import { workerData } from 'node:worker_threads';
import { serveThread } from '../../../runtime/threads/thread.ts';
import { hostReads, type ReadThread, type ReadThreadSettings } from './hosted-reads.ts';

serveThread<ReadThread>(hostReads(workerData as ReadThreadSettings));
