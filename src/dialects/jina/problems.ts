// Errors as Jina numbers and names them.
import type { ServiceError } from '../../contracts/errors/errors.ts';

export interface Problem {
  status: number;
  body: {
    data: null;
    code: number;
    status: number;
    name: string;
    message: string;
    readableMessage: string;
  };
}

/** Number and name, by the status of the error table. */
const BY_STATUS: Readonly<Record<number, readonly [number, string]>> = {
  400: [40001, 'ParamValidationError'],
  401: [40103, 'AuthenticationRequiredError'],
  402: [40203, 'InsufficientBalanceError'],
  408: [40801, 'TimeoutError'],
  429: [42903, 'RateLimitTriggeredError'],
};
const UNREADABLE = [42206, 'AssertionFailureError'] as const;
const REFUSED_ADDRESS = [45102, 'SecurityCompromiseError'] as const;
const OVER_BUDGET = [40904, 'BudgetExceededError'] as const;

export function problemOf({ code, status }: Pick<ServiceError, 'code' | 'status'>, message: string): Problem {
  return problem(numberOf(code, status), message);
}

function numberOf(code: ServiceError['code'], status: number): readonly [number, string] {
  if (code === 'UNSUPPORTED_SITE') return REFUSED_ADDRESS;
  // The page is what failed, not the service.
  if (/^(?:SCRAPE|DOCUMENT)_/.test(code) && status >= 404 && status !== 408) return UNREADABLE;
  return BY_STATUS[status] ?? [status * 100, 'ApplicationError'];
}

/** For a page or a search that has nothing. */
export const nothingFound = (message: string): Problem => problem(UNREADABLE, message);

export const overBudget = (tokens: number, budget: number): Problem =>
  problem(OVER_BUDGET, `The page has about ${tokens} tokens, and \`X-Token-Budget\` allows ${budget}.`);

function problem([number, name]: readonly [number, string], message: string): Problem {
  const status = Math.floor(number / 100);
  const readableMessage = `${name}: ${message}`;
  return { status, body: { data: null, code: status, status: number, name, message, readableMessage } };
}
