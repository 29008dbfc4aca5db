// A schema that cannot be used is a 400 that names its position, before anything else happens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrapeRequest } from '../../../../../src/contracts/scrape/scrape.ts';
import { NO_MODELS } from '../../../../../src/models/no-models.ts';
import { checkSchemas } from '../../../../../src/operations/page/checks/check-schemas.ts';
import { shareUnderstander } from '../../../../support/threads.ts';

test('schemas of every format are checked, and the words of the validator are given', async () => {
  const understander = shareUnderstander(NO_MODELS);
  const caller = { team: { id: 'team-1', name: 'one' }, signal: AbortSignal.timeout(60_000) } as Parameters<
    typeof checkSchemas
  >[1];
  const check = (...formats: object[]) => {
    const request = scrapeRequest.parse({ url: 'https://example.com', formats: ['markdown', ...formats] });
    return checkSchemas({ understander }, caller, request, ['scrapeOptions']);
  };
  const wrong = { type: 'object', properties: { a: { type: 'strin' } } };
  await check({ type: 'json', schema: { a: { type: 'string' } } });
  await assert.rejects(check({ type: 'json', schema: wrong }), {
    code: 'BAD_REQUEST',
    message: /^The schema is not a valid JSON Schema: .*properties\/a\/type must be equal/,
  });
  const tracked = check({ type: 'changeTracking', modes: ['json'], schema: wrong });
  await assert.rejects(tracked, ({ details }: { details: { path: unknown }[] }) => {
    assert.deepEqual(details[0]?.path, ['scrapeOptions', 'formats', 1, 'schema']);
    return true;
  });
});
