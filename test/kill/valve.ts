// Holds a site's answers back, so that a job stands still while we look at it, however slow the machine is.

export interface Valve {
  /** To be awaited by the site before each answer. */
  pass(): Promise<void>;
  /** How many have passed. */
  readonly passed: number;
  close(): void;
  open(): void;
}

export function createValve(): Valve {
  let passed = 0;
  let gate: PromiseWithResolvers<void> | undefined;
  return {
    async pass() {
      while (gate) await gate.promise;
      passed += 1;
    },
    get passed() {
      return passed;
    },
    close() {
      gate ??= Promise.withResolvers<void>();
    },
    open() {
      gate?.resolve();
      gate = undefined;
    },
  };
}
