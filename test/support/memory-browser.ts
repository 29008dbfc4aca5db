// A browser of a run, in memory: pages are lists of lines, clicks follow the addresses in them, and what may not be opened
// is not requested.
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import type { CheckUrl } from '../../src/net/check-url.ts';
import type { BrowserParts } from '../../src/operations/agent/use-page.ts';
import type { PageAction, PerformedAction } from '../../src/sessions/page-driver.ts';
import type { BrowserSession, NewSession } from '../../src/sessions/session.ts';

export interface MemoryBrowser extends BrowserParts {
  /** Addresses that were requested, in order. */
  requested: string[];
  /** Actions besides opening addresses. */
  performed: PageAction[];
  opened: NewSession[];
  /** What its sessions were restricted to. */
  checks: CheckUrl[];
  /** IDs of sessions that were ended. */
  ended: string[];
}

interface Options {
  /** Called before each action, for example to stop the run. */
  onAction?(action: PageAction): void;
  problem?: string;
}

/** `linesAt` undefined: there is no such page. The line `[2] link URL` leads to the URL. */
export function createMemoryBrowser(
  linesAt: (url: string) => readonly string[] | undefined,
  { onAction, problem }: Options = {},
): MemoryBrowser {
  const browser: MemoryBrowser = {
    requested: [],
    performed: [],
    opened: [],
    checks: [],
    ended: [],
    sessions: {
      unavailable: () => problem,
      async open(wanted) {
        if (problem !== undefined) throw new ServiceError('NO_BROWSER');
        browser.opened.push(wanted);
        const id = `session-${browser.opened.length}`;
        const restrictHosts = async (check: CheckUrl) => void browser.checks.push(check);
        const { signal: ended } = new AbortController();
        return { ...wanted, id, touch() {}, restrictHosts, ended } as unknown as BrowserSession;
      },
      async end(id) {
        browser.ended.push(id);
        return { id, durationMs: 1 };
      },
    },
    async drivePage(_session, { mayOpen = () => true, signal }) {
      let url = 'about:blank';
      const goTo = (target: string): PerformedAction => {
        if (!mayOpen(target)) return { note: `${target} may not be opened.`, isNewPage: false };
        browser.requested.push(target);
        url = target;
        return { isNewPage: true };
      };
      return {
        async view() {
          signal.throwIfAborted();
          return { url, title: 'A page', lines: linesAt(url) ?? [], isCut: false };
        },
        async perform(action) {
          onAction?.(action);
          signal.throwIfAborted();
          if (action.type === 'open') return goTo(action.url);
          browser.performed.push(action);
          const line =
            action.type === 'click' ? linesAt(url)?.find((each) => each.startsWith(`[${action.element}]`)) : '';
          const link = /link (http\S+)/.exec(line ?? '')?.[1];
          return link === undefined ? { isNewPage: false } : goTo(link);
        },
        close() {},
      };
    },
  };
  return browser;
}

export const NO_BROWSER: BrowserParts = createMemoryBrowser(() => undefined, { problem: 'There is none.' });
