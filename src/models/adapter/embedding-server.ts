// The adapter: one model at a server that speaks OpenAI's `/embeddings`. What it answers is checked like anything from outside.
import type { Egress } from '../../net/egress.ts';
import type { Clock } from '../../util/clock.ts';
import type { EmbeddedTexts, EmbeddingServer } from '../embeddings/embedder.ts';
import type { EmbeddingChoice } from '../model-choice.ts';
import { ModelProblem } from '../model-problem.ts';
import { problemOf } from './ai-problem.ts';
import { createModelFetch } from './model-fetch.ts';

interface Deps {
  egress: Pick<Egress, 'request'>;
  clock: Pick<Clock, 'now'>;
}

const MAX_DIMENSIONS = 8_192;

export function createEmbeddingServer({ url, model, key }: EmbeddingChoice, { egress, clock }: Deps): EmbeddingServer {
  const send = createModelFetch(egress);
  return {
    async embed(texts, signal) {
      try {
        const response = await send(`${url}/embeddings`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
          signal,
        });
        const body = await response.text();
        if (!response.ok) {
          const responseHeaders = Object.fromEntries(response.headers);
          throw Object.assign(new Error(), { statusCode: response.status, responseHeaders, responseBody: body });
        }
        return readAnswer(JSON.parse(body), texts.length);
      } catch (error) {
        signal.throwIfAborted();
        throw problemOf(error, clock.now());
      }
    },
  };
}

interface Answer {
  data?: unknown;
  usage?: { prompt_tokens?: unknown; total_tokens?: unknown } | null;
}

function readAnswer(body: unknown, count: number): EmbeddedTexts {
  const { data, usage } = (body ?? {}) as Answer;
  if (!Array.isArray(data) || data.length !== count) throw new ModelProblem('malformed');
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const [at, item] of data.entries()) {
    const { index = at, embedding } = (item ?? {}) as { index?: number; embedding?: unknown };
    if (!Number.isInteger(index) || index < 0 || index >= count) throw new ModelProblem('malformed');
    vectors[index] = readVector(embedding);
  }
  const whole = vectors.filter((vector) => vector !== undefined);
  const isEven = whole.every(({ length }) => length === whole[0]!.length);
  if (whole.length !== count || !isEven) throw new ModelProblem('malformed');
  const tokens = usage?.total_tokens ?? usage?.prompt_tokens;
  return {
    vectors: whole,
    ...(Number.isSafeInteger(tokens) && (tokens as number) > 0 && { tokens: tokens as number }),
  };
}

function readVector(embedding: unknown): Float32Array {
  const isVector = Array.isArray(embedding) && embedding.length > 0 && embedding.length <= MAX_DIMENSIONS;
  if (!isVector || !embedding.every((one) => Number.isFinite(one))) throw new ModelProblem('malformed');
  return Float32Array.from(embedding as number[]);
}
