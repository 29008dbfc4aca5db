// The prompt that answers a question from the numbered lines of a page, and what is made of the model's answer.

export const ANSWER_QUESTION = [
  'Answer the question in <question> from the page in <page>, and from nothing else.',
  'Each line of the page starts with its number in square brackets. Put the numbers of all lines that the answer rests on into `lines`.',
  'If the page does not answer the question, set `stated` to false, `answer` to an empty string and `lines` to an empty list. Never guess.',
  'Otherwise set `stated` to true and write a short, complete answer in the language of the question, without line numbers.',
].join('\n');

export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    stated: { type: 'boolean' },
    answer: { type: 'string' },
    lines: { type: 'array', items: { type: 'integer' } },
  },
  required: ['stated', 'answer', 'lines'],
  additionalProperties: false,
};

export type AnswerReply = { stated: false } | { stated: true; answer: string; lines: readonly unknown[] };

/** Undefined if the model did not answer in this form. */
export function readAnswer(value: unknown): AnswerReply | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { stated, answer, lines } = value as Record<string, unknown>;
  if (stated === false) return { stated };
  if (typeof answer !== 'string' || answer.trim() === '') return undefined;
  return { stated: true, answer: answer.trim(), lines: Array.isArray(lines) ? lines : [] };
}
