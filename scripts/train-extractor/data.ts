// The labelled sets that training uses. How each is used is defined in split.ts and weights.ts.
export const SETS = ['wcxb-dev', 'trafi', 'magic-article', 'magic-forum', 'ceb'] as const;
export type SetName = (typeof SETS)[number];
