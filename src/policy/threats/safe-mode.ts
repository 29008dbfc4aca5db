// What a request with `safeMode` may not do, besides reading unsafe URLs: sign in anywhere, pretend to be somebody else, or
// run code of its own.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';

type Checked = Pick<ScrapeOptions, 'safeMode' | 'proxy' | 'profile' | 'headers' | 'actions'>;

/** Actions that can fill in a login form, or do anything. */
const UNSAFE_ACTIONS: ReadonlySet<string> = new Set(['write', 'press', 'executeJavascript']);
const CREDENTIAL_HEADERS =
  /^(?:authorization|proxy-authorization|cookie)$|(?:^|-)(?:api-?key|auth-token|access-token)$/i;

/** Throws SAFE_MODE_BLOCKED. */
export function refuseUnsafeOptions({ safeMode, proxy, profile, headers, actions }: Checked): void {
  if (!safeMode) return;
  const problem =
    proxyProblem(proxy) ?? (profile && 'browser profiles') ?? headerProblem(headers) ?? actionProblem(actions);
  if (problem === undefined) return;
  throw new ServiceError('SAFE_MODE_BLOCKED', {
    message: `\`safeMode\` does not allow ${problem}. Leave it out, or send the request without \`safeMode\`.`,
  });
}

const proxyProblem = (proxy: Checked['proxy']) => (proxy === 'enhanced' ? 'enhanced proxies' : undefined);

function headerProblem(headers: Checked['headers']): string | undefined {
  const name = Object.keys(headers).find((header) => CREDENTIAL_HEADERS.test(header));
  return name === undefined ? undefined : `the header \`${name}\`, which carries credentials`;
}

function actionProblem(actions: Checked['actions']): string | undefined {
  const unsafe = actions.find(({ type }) => UNSAFE_ACTIONS.has(type));
  return unsafe && `the action \`${unsafe.type}\``;
}
