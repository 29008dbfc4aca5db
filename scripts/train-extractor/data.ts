// The sets that training knows, and what it may do with each is in split.ts and weights.ts.
export const SETS = ['wcxb-dev', 'trafi', 'magic-article', 'magic-forum'] as const;
export type SetName = (typeof SETS)[number];
