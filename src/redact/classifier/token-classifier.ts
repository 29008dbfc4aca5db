// Finds names of persons and places with the model in `models/pii`. Runs in a thread of its own: it loads a native library.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { assert } from '../../util/assert.ts';
import { LABELS, type LabelledSpan, labelSpans } from './label-spans.ts';
import { installedModels } from './model-runtime/model-runtime.ts';
import { withoutNameless } from './nameless-sentences.ts';
import { plausibleSpans } from './plausible-spans.ts';
import { cutParts } from './text-parts.ts';
import { wordFeature } from './word-features.ts';
import { END_ID, START_ID, type TokenizedWord, WordPieces } from './word-pieces.ts';

/** From the model's config.json, whose card says how they were chosen. */
interface ModelConfig {
  model: string;
  vocab: string;
  labels: string[];
  maxTokens: number;
  thresholds: Record<ClassifierMode, number>;
}

export type ClassifierMode = 'accurate' | 'aggressive';

export interface TokenClassifier {
  /** Sorted and disjoint, with organisations. */
  find(text: string, mode: ClassifierMode): Promise<LabelledSpan[]>;
}

/** What is used of onnxruntime-node, whose types are not installed with the program. */
interface OnnxRuntime {
  InferenceSession: { create(file: string, options: object): Promise<OnnxSession> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => object;
}
interface OnnxSession {
  run(inputs: Record<string, object>): Promise<Record<string, { data: unknown }>>;
}

export async function loadTokenClassifier(folder = installedModels().folder): Promise<TokenClassifier> {
  assert(folder !== undefined, 'The models are not installed.');
  const file = (name: string) => join(folder, 'pii', name);
  const config = JSON.parse(readFileSync(file('config.json'), 'utf8')) as ModelConfig;
  assert(config.labels.length === LABELS, 'The labels of the model are not those of the code.');
  const pieces = new WordPieces(readFileSync(file(config.vocab), 'utf8'));
  // Resolved from the folder of the models, which may have packages of its own.
  const onnx = createRequire(join(folder, 'package.json'))('onnxruntime-node') as OnnxRuntime;
  const session = await onnx.InferenceSession.create(file(config.model), {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
  });

  /** One part at a time: in a batch, the other parts would change its scores in the last digits. */
  const classify = async (text: string, words: readonly TokenizedWord[]): Promise<Float32Array> => {
    const ids = [START_ID, ...words.flatMap((word) => word.ids), END_ID];
    const features = words.flatMap((word, at) => word.ids.map(() => wordFeature(text, word, words[at - 1])));
    const tensor = (values: readonly number[]) =>
      new onnx.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
    const output = await session.run({
      input_ids: tensor(ids),
      attention_mask: tensor(ids.map(() => 1)),
      feats: tensor([0, ...features, 0]),
    });
    return output.logits!.data as Float32Array;
  };

  return {
    async find(text, mode) {
      const spans: LabelledSpan[] = [];
      const words = withoutNameless(text, pieces.words(text));
      // Two of the tokens mark the start and the end.
      for (const part of cutParts(text, words, config.maxTokens - 2)) {
        spans.push(...labelSpans(text, part, await classify(text, part), config.thresholds[mode]));
      }
      return plausibleSpans(text, spans, { isEager: mode === 'aggressive' });
    },
  };
}
