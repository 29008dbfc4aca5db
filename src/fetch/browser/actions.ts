// Does what a caller asked to be done with a page: each action in its order, all of them within one time budget.
import type { Page } from 'playwright-core';
import type { Action } from '../../contracts/actions.ts';
import type { ActionResults } from '../../contracts/captures.ts';

export interface ActionLimits {
  signal: AbortSignal;
  deadline: number;
  now(): number;
  settle(): Promise<void>;
}

export async function runActions(
  _page: Page,
  _actions: readonly Action[],
  _limits: ActionLimits,
): Promise<ActionResults> {
  return { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
}
