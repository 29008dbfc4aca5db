// No forbidden address is reached through media: a canary proves that nothing arrives, and controls that it could.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import { MEDIA_ATTEMPTS, type MediaAttempt } from './media-entrances.ts';
import { CANARY_TEXT, openStage, SITE_ADDRESS, SITE_TEXT, type Stage } from './stage.ts';
import { FORBIDDEN_TARGETS } from './targets.ts';

// Targets that become URLs of the site are not a way out; others cannot be written into a page or a playlist.
const isTaken = (target: string) =>
  URL.canParse(target) && URL.parse(target, 'http://site.test/')?.host !== 'site.test' && !/["\0\t]/.test(target);

const at = (target: string, { port }: Stage) => target.replaceAll('PORT', String(port));

async function outcome(attempt: MediaAttempt, stage: Stage, target: string): Promise<string> {
  try {
    return `answered: ${await attempt(stage, target)}`;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isRefused = error.code === 'UNSUPPORTED_SITE' || error.code === 'BAD_REQUEST';
    return isRefused ? 'refused' : `${error.code}: ${error.message}`;
  }
}

describe('forbidden targets of media', () => {
  let stage: Stage;
  let widened: Stage;
  before(async () => {
    stage = await openStage();
    widened = await openStage(`${SITE_ADDRESS}, 127.0.0.1, ::1, localhost`);
  });
  after(() => Promise.all([stage.stop(), widened.stop()]));

  for (const [name, attempt] of Object.entries(MEDIA_ATTEMPTS)) {
    test(`are refused when referenced by ${name}`, async () => {
      const targets = FORBIDDEN_TARGETS.map((target) => at(target, stage)).filter(isTaken);
      assert.ok(targets.length >= 80);
      const reached: string[] = [];
      for (const target of targets) {
        const result = await outcome(attempt, stage, target);
        if (result !== 'refused') reached.push(`${JSON.stringify(target)} -> ${result}`);
      }
      assert.deepEqual(reached, []);
      assert.deepEqual(stage.caught, [], 'a request reached the canary');
    });

    test(`an allowed target is reached by ${name}, and so is the canary once the operator allows it`, async () => {
      assert.equal(await attempt(stage, at(`http://${SITE_ADDRESS}:PORT/`, stage)), SITE_TEXT);
      for (const target of ['http://127.0.0.1:PORT/', 'http://[::1]:PORT/']) {
        widened.caught.length = 0;
        assert.equal(await attempt(widened, at(target, widened)), CANARY_TEXT);
        assert.equal(widened.caught.length, 1);
      }
    });
  }
});
