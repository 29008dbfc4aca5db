// Turns texts into vectors with the model in `models/sentences`.

import { roundVector, type TextVector } from '../../text/text-vectors.ts';
import { type EncoderConfig, openEncoder } from '../open-encoder.ts';
import { END_ID, START_ID } from '../words/word-pieces.ts';

/** From the model's config.json. */
interface SentencesConfig extends EncoderConfig {
  /** With both marks; what is longer is cut. */
  maxTokens: number;
}

export interface SentenceEncoder {
  encode(texts: readonly string[]): Promise<TextVector[]>;
}

/** No token is longer than this on average: the rest of a huge text is not even split into words. */
const CHARACTERS_PER_TOKEN = 24;

export async function loadSentenceEncoder(folder?: string): Promise<SentenceEncoder> {
  const { config, pieces, run } = await openEncoder<SentencesConfig>('sentences', folder);
  const room = config.maxTokens - 2;

  async function vectorOf(text: string): Promise<TextVector> {
    const ids: number[] = [];
    for (const word of pieces.words(text.slice(0, room * CHARACTERS_PER_TOKEN))) {
      ids.push(...word.ids);
      if (ids.length >= room) break;
    }
    return roundVector(await run([START_ID, ...ids.slice(0, room), END_ID]));
  }

  return {
    async encode(texts) {
      const vectors: TextVector[] = [];
      for (const text of texts) vectors.push(await vectorOf(text));
      return vectors;
    },
  };
}
