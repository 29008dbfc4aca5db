// Our own models: the classifier that finds names, the reader that finds answers, and the encoder that says how alike texts
// are. One thread serves them and all teams in turn (encoder-turns.ts).
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Asker } from '../runtime/gate/gate.ts';
import type { TextVector } from '../text/text-vectors.ts';
import { createEncoderTurns, type EncoderOptions, type EncoderTurns } from './encoder-turns.ts';
import { runtimeProblem } from './model-runtime/model-runtime.ts';
import type { LabelledSpan } from './names/label-spans.ts';
import { textChunks } from './names/text-chunks.ts';
import type { ClassifierMode } from './names/token-classifier.ts';
import type { Reading, ReadingTask } from './reader/reading.ts';

/** Port: finds names of persons and places in texts of any length. */
export interface Classifier {
  /** One sentence for callers if it cannot run. */
  unavailable(): string | undefined;
  /** Sorted and disjoint, with organisations. Throws ServiceError. */
  find(text: string, mode: ClassifierMode, asker: Asker, signal: AbortSignal): Promise<LabelledSpan[]>;
}

/** Port: finds the pieces of a text that answer questions. */
export interface Reader {
  /** One sentence for callers if it cannot run. */
  unavailable(): string | undefined;
  /** One answer for each question. Undefined if the reader failed, because callers have another way. */
  read(task: ReadingTask, asker: Asker, signal: AbortSignal): Promise<Reading[] | undefined>;
}

/** Port: tells texts by their meaning. */
export interface SentenceVectors {
  /** Vectors of models with other names cannot be compared. */
  readonly name: string;
  /** One sentence for callers if it cannot run. */
  unavailable(): string | undefined;
  /** One vector for each text, of its first words. Throws ServiceError. */
  encode(texts: readonly string[], asker: Asker, signal: AbortSignal): Promise<TextVector[]>;
}

export interface Encoders {
  classifier: Classifier;
  reader: Reader;
  sentences: SentenceVectors;
  close(): Promise<void>;
}

/** A hundred times what it takes on an idle machine. */
const MS_PER_CHARACTER = 3;
/** Twenty times what it takes on an idle machine. */
const MS_PER_RUN = 800;
/** So many texts are encoded before others have their turn. */
const TEXTS_IN_TURN = 4;
const SENTENCES_NAME = 'all-MiniLM-L6-v2';

export function createEncoders(options: EncoderOptions = {}): Encoders {
  const turns = createEncoderTurns(options);
  return {
    classifier: createClassifier(turns),
    reader: createReader(turns),
    sentences: createSentenceVectors(turns),
    close: turns.close,
  };
}

const createClassifier = ({ inTurn }: EncoderTurns): Classifier => ({
  unavailable: () => runtimeProblem(),
  async find(text, mode, asker, signal) {
    const problem = runtimeProblem();
    if (problem !== undefined) throw new ServiceError('PII_MODEL_UNAVAILABLE', { message: problem });
    const spans: LabelledSpan[] = [];
    for (const { start, end } of textChunks(text)) {
      const piece = text.slice(start, end);
      if (!/\p{L}/u.test(piece)) continue;
      const size = { encoder: 'names', size: piece.length, extraMs: piece.length * MS_PER_CHARACTER } as const;
      const found = await inTurn(size, ({ remote }) => remote.find(piece, mode), asker, signal).catch(
        (cause: unknown) => {
          signal.throwIfAborted();
          throw cause instanceof ServiceError ? cause : new ServiceError('REDACTION_FAILED', { cause });
        },
      );
      for (const span of found) spans.push({ ...span, start: span.start + start, end: span.end + start });
    }
    return spans;
  },
});

const createReader = ({ inTurn }: EncoderTurns): Reader => ({
  unavailable: () => runtimeProblem(),
  async read({ questions, maxRuns, ...text }, asker, signal) {
    const readings: Reading[] = [];
    let left = maxRuns;
    try {
      for (const [at, question] of questions.entries()) {
        const runs = Math.max(1, Math.floor(left / (questions.length - at)));
        const size = { encoder: 'reader', size: runs, extraMs: runs * MS_PER_RUN } as const;
        const reading = await inTurn(size, ({ remote }) => remote.read(text, question, runs), asker, signal);
        left -= reading.read;
        readings.push(reading);
      }
      return readings;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ServiceError) throw error;
      return undefined;
    }
  },
});

const createSentenceVectors = ({ inTurn }: EncoderTurns): SentenceVectors => ({
  name: SENTENCES_NAME,
  unavailable: () => runtimeProblem(),
  async encode(texts, asker, signal) {
    const problem = runtimeProblem();
    if (problem !== undefined) throw new ServiceError('ENCODER_UNAVAILABLE', { message: problem });
    const vectors: TextVector[] = [];
    for (let from = 0; from < texts.length; from += TEXTS_IN_TURN) {
      const group = texts.slice(from, from + TEXTS_IN_TURN);
      const size = { encoder: 'sentences', size: group.length, extraMs: group.length * MS_PER_RUN } as const;
      const encoded = await inTurn(size, ({ remote }) => remote.encode(group), asker, signal).catch(
        (cause: unknown) => {
          signal.throwIfAborted();
          throw cause instanceof ServiceError ? cause : new ServiceError('ENCODING_FAILED', { cause });
        },
      );
      vectors.push(...encoded);
    }
    return vectors;
  },
});
