// Runs actions on a page as a request does.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { actions as contract } from '../../../src/contracts/scrape/actions.ts';
import { runActions } from '../../../src/fetch/browser/actions/actions.ts';

/** The contract validates the actions and adds defaults, as for a request. */
export function run(
  page: Page,
  given: unknown[],
  limits: { timeMs?: number; speed?: number; signal?: AbortSignal } = {},
) {
  const began = Date.now();
  const now = () => began + (Date.now() - began) * (limits.speed ?? 1);
  return runActions(page, contract.parse(given), {
    signal: limits.signal ?? new AbortController().signal,
    deadline: began + (limits.timeMs ?? 60_000),
    now,
    settle: async () => {
      await page.waitForTimeout(100);
      await page.waitForLoadState('load', { timeout: 500 }).catch(() => {});
    },
  });
}

export const failsWith = (code: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ServiceError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};
