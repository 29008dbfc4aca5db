// A page thread that counts what it parses. A page may make it wait in the middle of its work, or end.
import { getEnvironmentData } from 'node:worker_threads';
import { TreeBuilder } from '../../../src/markup/html/flat-tree.ts';
import '../../../src/page-threads/page-thread.ts';
import { AT, COUNTS, EXIT, WAIT } from './thread-counts.ts';

const counts = new Int32Array(getEnvironmentData(COUNTS) as SharedArrayBuffer);
const { finish } = TreeBuilder.prototype;

TreeBuilder.prototype.finish = function (truncated) {
  Atomics.add(counts, AT.parses, 1);
  if (this.span(0, EXIT.length) === EXIT) process.exit(1);
  if (this.span(0, WAIT.length) === WAIT) {
    Atomics.store(counts, AT.waits, 1);
    Atomics.notify(counts, AT.waits);
    Atomics.wait(counts, AT.mayGoOn, 0);
  }
  return finish.call(this, truncated);
};
