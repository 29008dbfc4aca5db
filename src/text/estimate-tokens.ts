// How many tokens a text has, about. Tokenizers differ by model; this errs on the safe side for most of them.

/** Characters a token in English prose and markup. */
const ASCII_PER_TOKEN = 3.5;
/** Accented and Cyrillic letters are split more finely; a Chinese character is about a token. */
const OTHER_PER_TOKEN = 1.2;

export function estimateTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) others += 1;
  return Math.ceil((text.length - others) / ASCII_PER_TOKEN + others / OTHER_PER_TOKEN);
}

/** The first lines that have room. A single line that is too long is cut. */
export function fitTokens(text: string, maxTokens: number): { text: string; isCut: boolean } {
  if (estimateTokens(text) <= maxTokens) return { text, isCut: false };
  let tokens = 0;
  let end = 0;
  for (let at = 0; at < text.length && tokens <= maxTokens; at++) {
    tokens += text.charCodeAt(at) > 127 ? 1 / OTHER_PER_TOKEN : 1 / ASCII_PER_TOKEN;
    if (tokens <= maxTokens) end = at + 1;
  }
  const line = text.lastIndexOf('\n', end);
  return { text: text.slice(0, line > 0 ? line : end), isCut: true };
}
