// The prompt that answers a question from passages of several pages, and what is made of the model's answer.

export const ANSWER_PAGES = [
  'Answer the question in <question> from the passages in <passages>, and from nothing else.',
  'A line that begins with # names the page and the section of the lines below. Each line starts with its number in square brackets.',
  'Write one to four sentences that answer the question, in the language and with the words of the passages, without line numbers. Begin with the answer itself.',
  'For each sentence, put the numbers of the lines that say it into `lines`. A sentence that no line says must not be written.',
  'If lines contradict each other, say so in a sentence that names both.',
  'If the passages do not answer the question, set `stated` to false and `sentences` to an empty list. Never guess.',
].join('\n');

export const ANSWER_PAGES_SCHEMA = {
  type: 'object',
  properties: {
    stated: { type: 'boolean' },
    sentences: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
        required: ['text', 'lines'],
        additionalProperties: false,
      },
    },
  },
  required: ['stated', 'sentences'],
  additionalProperties: false,
};

export interface WrittenSentence {
  text: string;
  lines: readonly unknown[];
}

const MAX_SENTENCES = 6;
const MAX_SENTENCE = 600;
const OWN_NUMBERS = /\s*\[\d+(?:\s*,\s*\d+)*\]/g;

/** Empty if the passages do not state it; undefined if the model did not answer in this form. */
export function readSentences(value: unknown): WrittenSentence[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { stated, sentences } = value as Record<string, unknown>;
  if (stated === false) return [];
  if (!Array.isArray(sentences)) return undefined;
  return sentences.slice(0, MAX_SENTENCES).flatMap((one: unknown) => {
    const { text, lines } = (one ?? {}) as Record<string, unknown>;
    if (typeof text !== 'string' || !Array.isArray(lines)) return [];
    const tidy = text.replace(OWN_NUMBERS, '').replace(/\s+/g, ' ').trim();
    return tidy === '' || tidy.length > MAX_SENTENCE ? [] : [{ text: tidy, lines }];
  });
}
