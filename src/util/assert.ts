// Broken invariants, which are bugs of ours. Problems caused by callers, sites or files are ServiceErrors.

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) fail(message);
}

export function fail(message: string, options?: ErrorOptions): never {
  throw new Error(message, options);
}
