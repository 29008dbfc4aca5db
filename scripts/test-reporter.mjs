// A reporter for node:test that writes one JSON line a finished test: scripts/test.ts reads them.
import { inspect } from 'node:util';

/** The failures that only repeat that something inside has failed. */
const REPEATED = new Set(['subtestsFailed', 'cancelledByParent']);

export default async function* report(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { error, type: kind } = data.details ?? {};
    const repeated = type === 'test:fail' && REPEATED.has(error?.failureType);
    // A describe block is no test, but a hook of it can fail on its own, and one that is skipped stands for its tests.
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
