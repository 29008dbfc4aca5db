// Tokens of buckets are refilled in fractions, whose sums are not exact.

/** Far less than a token, far more than the error. */
export const TOKEN_ROUNDING = 1e-6;
