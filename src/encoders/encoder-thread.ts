// The entry point of the thread of our own models.
import { platform, setPriority } from 'node:os';
import { serveThread } from '../runtime/threads/thread.ts';
import type { Ready } from '../runtime/threads/threads.ts';
import { lazy } from '../util/lazy.ts';
import { loadTokenClassifier, type TokenClassifier } from './names/token-classifier.ts';
import { loadSpanReader, type SpanReader } from './reader/read-spans.ts';
import { loadSentenceEncoder, type SentenceEncoder } from './sentences/sentence-encoder.ts';

// Lets the event loop of the main thread go first. Only on Linux does the priority apply to a single thread.
if (platform() === 'linux') setPriority(10);

export type EncoderName = 'names' | 'reader' | 'sentences';

export interface EncoderThread extends Ready {
  /** The time limit of a text does not include loading the model. */
  load(encoder: EncoderName): Promise<void>;
  find: TokenClassifier['find'];
  read: SpanReader['read'];
  encode: SentenceEncoder['encode'];
}

const models = {
  names: lazy(() => loadTokenClassifier()),
  reader: lazy(() => loadSpanReader()),
  sentences: lazy(() => loadSentenceEncoder()),
};

serveThread<EncoderThread>({
  ready: async () => {},
  load: async (encoder) => void (await models[encoder]()),
  find: async (text, mode) => (await models.names()).find(text, mode),
  read: async (...task) => (await models.reader()).read(...task),
  encode: async (texts) => (await models.sentences()).encode(texts),
});
