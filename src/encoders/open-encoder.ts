// Opens one of our own models: its settings, the vocabulary, and a function that runs it. Only threads do: it loads a
// native library.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { assert } from '../util/assert.ts';
import { installedModels } from './model-runtime/model-runtime.ts';
import { WordPieces } from './words/word-pieces.ts';

export interface EncoderConfig {
  model: string;
  vocab: string;
}

export interface OpenEncoder<Config> {
  config: Config;
  pieces: WordPieces;
  /**
   * What the model says about one sequence: in a batch, the others would change its scores in the last digits. `features`:
   * one for each token, for models that were trained with them.
   */
  run(ids: readonly number[], features?: readonly number[]): Promise<Float32Array>;
}

/** What is used of onnxruntime-node, whose types are not installed with the program. */
interface OnnxRuntime {
  InferenceSession: { create(file: string, options: object): Promise<OnnxSession> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => object;
}
interface OnnxSession {
  outputNames: readonly string[];
  run(inputs: Record<string, object>): Promise<Record<string, { data: unknown }>>;
}

/** `name`: the folder of the model. */
export async function openEncoder<Config extends EncoderConfig>(
  name: string,
  folder = installedModels().folder,
): Promise<OpenEncoder<Config>> {
  assert(folder !== undefined, 'The models are not installed.');
  const file = (path: string) => join(folder, name, path);
  const config = JSON.parse(readFileSync(file('config.json'), 'utf8')) as Config;
  const pieces = new WordPieces(readFileSync(file(config.vocab), 'utf8'));
  // Resolved from the folder of the models, which may have packages of its own.
  const onnx = createRequire(join(folder, 'package.json'))('onnxruntime-node') as OnnxRuntime;
  const session = await onnx.InferenceSession.create(file(config.model), {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
  });
  return {
    config,
    pieces,
    async run(ids, features) {
      const tensor = (values: readonly number[]) =>
        new onnx.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
      const output = await session.run({
        input_ids: tensor(ids),
        attention_mask: tensor(ids.map(() => 1)),
        ...(features && { feats: tensor(features) }),
      });
      return output[session.outputNames[0]!]!.data as Float32Array;
    },
  };
}
