// The sentence that tells a caller that an answer was made without a language model.

/** `reason` is the one that `Models.choose` gives: why there is no model. */
export const madeWithoutModel = (what: string, reason: string): string =>
  `\`${what}\` was made without a language model: ${reason}.`;
