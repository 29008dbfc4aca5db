// How many tokens a text has, about. Tokenizers differ by model; this errs on the safe side for most of them.

/** Characters weigh whole parts of a token, so that the weights of parts of a text add up exactly. */
const PARTS = 42;
/** English prose and markup have 3.5 characters a token. */
const ASCII_WEIGHT = 12;
/** Accented and Cyrillic letters are split more finely, into 1.2 a token; a Chinese character is about a token. */
const OTHER_WEIGHT = 35;

export const estimateTokens = (text: string): number => tokensOf(tokenWeight(text));

/** The weight of a part of a text, for sums. */
export function tokenWeight(text: string, start = 0, end = text.length): number {
  const length = Math.max(0, end - start);
  // Most texts are ASCII, which takes as many bytes as characters; finding that out is faster than counting.
  if (Buffer.byteLength(text.slice(start, end)) === length) return length * ASCII_WEIGHT;
  let others = 0;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > 127) others += 1;
  return (length - others) * ASCII_WEIGHT + others * OTHER_WEIGHT;
}

export const tokensOf = (weight: number): number => Math.ceil(weight / PARTS);

/** The first lines that have room. A single line that is too long is cut. */
export function fitTokens(text: string, maxTokens: number): { text: string; isCut: boolean } {
  if (estimateTokens(text) <= maxTokens) return { text, isCut: false };
  let weight = 0;
  let end = 0;
  for (let at = 0; at < text.length && weight <= maxTokens * PARTS; at++) {
    weight += text.charCodeAt(at) > 127 ? OTHER_WEIGHT : ASCII_WEIGHT;
    if (weight <= maxTokens * PARTS) end = at + 1;
  }
  const line = text.lastIndexOf('\n', end);
  return { text: text.slice(0, line > 0 ? line : end), isCut: true };
}
