// Vectors of texts from the server that the operator has set for embeddings, under the same conditions as language models.
import { estimateTokens } from '../../text/estimate-tokens.ts';
import type { ModelUsage } from '../language-model.ts';
import type { ModelTurns } from '../model-turn.ts';

export interface EmbeddedTexts {
  /** One for each text, all of the same length. */
  vectors: Float32Array[];
  /** Absent if the server does not count. */
  tokens?: number;
}

/** Port: one model at one server. */
export interface EmbeddingServer {
  /** Throws ModelProblem, or the reason of the signal. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddedTexts>;
}

/** The model for one team. */
export interface TextEmbedder {
  /** Vectors of models with other names cannot be compared. */
  readonly model: string;
  /** Throws ServiceError, or the reason of the signal. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

export const createEmbedder = (
  model: string,
  { server, turns, onDone }: { server: EmbeddingServer; turns: ModelTurns; onDone(usage: ModelUsage): void },
): TextEmbedder => ({
  model,
  embed: (texts, outer) =>
    turns.take(outer, async (signal) => {
      const { vectors, tokens } = await turns.retried(signal, () => server.embed(texts, signal));
      const inputTokens = tokens ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      const usage = { inputTokens, outputTokens: 0, ...(tokens === undefined && { isEstimated: true as const }) };
      await turns.spend(usage);
      onDone(usage);
      return vectors;
    }),
});
