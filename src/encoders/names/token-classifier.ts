// Finds names of persons and places with the model in `models/pii`.
import { assert } from '../../util/assert.ts';
import { type EncoderConfig, openEncoder } from '../open-encoder.ts';
import { wordFeature } from '../words/word-features.ts';
import { END_ID, START_ID, type TokenizedWord } from '../words/word-pieces.ts';
import { LABELS, type LabelledSpan, labelSpans } from './label-spans.ts';
import { withoutNameless } from './nameless-sentences.ts';
import { plausibleSpans } from './plausible-spans.ts';
import { cutParts } from './text-parts.ts';

/** From the model's config.json, whose card says how they were chosen. */
interface ModelConfig extends EncoderConfig {
  labels: string[];
  maxTokens: number;
  thresholds: Record<ClassifierMode, number>;
}

export type ClassifierMode = 'accurate' | 'aggressive';

export interface TokenClassifier {
  /** Sorted and disjoint, with organisations. */
  find(text: string, mode: ClassifierMode): Promise<LabelledSpan[]>;
}

export async function loadTokenClassifier(): Promise<TokenClassifier> {
  const { config, pieces, run } = await openEncoder<ModelConfig>('pii');
  assert(config.labels.length === LABELS, 'The labels of the model are not those of the code.');

  const classify = (text: string, words: readonly TokenizedWord[]): Promise<Float32Array> => {
    const features = words.flatMap((word, at) => word.ids.map(() => wordFeature(text, word, words[at - 1])));
    return run([START_ID, ...words.flatMap((word) => word.ids), END_ID], [0, ...features, 0]);
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
