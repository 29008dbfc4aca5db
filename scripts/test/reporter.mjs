// A node:test reporter that writes one line of JSON per finished test. scripts/test/run-file.ts reads them.
import { inspect } from 'node:util';

/** Failures that only say that something nested has failed. */
const REPEATED = new Set(['subtestsFailed', 'cancelledByParent']);

export default async function* report(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { error, type: kind } = data.details ?? {};
    const repeated = type === 'test:fail' && REPEATED.has(error?.failureType);
    // A describe block is not counted as a test, unless one of its hooks failed or it was skipped with all its tests.
    const isSkipped = data.skip !== undefined;
    if (kind === 'suite' && !isSkipped && (type === 'test:pass' || repeated)) continue;
    yield `${JSON.stringify({
      outcome: outcomeOf(type, data),
      name: data.name,
      line: data.line,
      error: error && !repeated ? inspect(error.cause ?? error, { depth: 4 }) : undefined,
    })}\n`;
  }
}

function outcomeOf(type, data) {
  if (data.skip !== undefined || data.todo !== undefined) return 'skipped';
  return type === 'test:pass' ? 'passed' : 'failed';
}
