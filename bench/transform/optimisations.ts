// Counts how often V8 optimises functions, and how often it gives up optimised code, from its trace file.

export interface Optimisations {
  count: number;
  deoptimisations: number;
  /** The functions that were optimised most often, most frequent first. */
  functions: [name: string, count: number][];
}

const COMPILED = /^\[completed compiling .*?<JSFunction (.*?) ?\(sfi = \w+\)> \(target (?:MAGLEV|TURBOFAN_JS)\)/;
const DEOPTIMISED = /^\[bailout \(/;

export function readOptimisations(trace: string): Optimisations {
  // Functions of the same name are told apart by their code (sfi), which may move in memory: the name has to do.
  const counts = new Map<string, number>();
  let count = 0;
  let deoptimisations = 0;
  for (const line of trace.split('\n')) {
    const name = COMPILED.exec(line)?.[1];
    if (name !== undefined) {
      count += 1;
      counts.set(name || '(anonymous)', (counts.get(name || '(anonymous)') ?? 0) + 1);
    } else if (DEOPTIMISED.test(line)) deoptimisations += 1;
  }
  const functions = [...counts].sort(([, a], [, b]) => b - a);
  return { count, deoptimisations, functions };
}
