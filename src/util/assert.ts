// Broken invariants: a bug of ours, never something that a caller, a site or a file did. Those are ServiceErrors.

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) fail(message);
}

export function fail(message: string, options?: ErrorOptions): never {
  throw new Error(message, options);
}
