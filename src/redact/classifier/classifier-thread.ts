// The entry point of the classifier's thread.
import { platform, setPriority } from 'node:os';
import { serveThread } from '../../runtime/threads/thread.ts';
import type { Ready } from '../../runtime/threads/threads.ts';
import { lazy } from '../../util/lazy.ts';
import { loadTokenClassifier, type TokenClassifier } from './token-classifier.ts';

// Lets the event loop of the main thread go first. Only on Linux does the priority apply to a single thread.
if (platform() === 'linux') setPriority(10);

export type ClassifierThread = Ready & TokenClassifier;

const classifier = lazy(() => loadTokenClassifier());

serveThread<ClassifierThread>({
  // With the model: the time limit of a text does not include loading it.
  ready: async () => void (await classifier()),
  find: async (text, mode) => (await classifier()).find(text, mode),
});
