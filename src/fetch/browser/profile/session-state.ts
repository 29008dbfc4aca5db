// The profile of a session's browser: restored before clients connect, and read after they have left. In between only
// the origins of its pages are recorded, because a second Playwright on the pages would interfere with the client.
import { tmpdir } from 'node:os';
import type { BrowserContext } from 'playwright-core';
import type { Log } from '../../../runtime/log.ts';
import type { TrackState } from '../../../sessions/open-session.ts';
import type { CdpChannel } from '../../../sessions/session.ts';
import { raceAbort } from '../../../util/abort.ts';
import { createPipeTransport } from '../process/pipe.ts';
import { loadPlaywright } from '../process/playwright.ts';
import { applyProfile, closeTabs, originsOf, readProfile } from './profile.ts';

const CONNECT_MS = 15_000;
/** Reading an origin takes a fifth of a second. The most recent ones are kept. */
const MAX_ORIGINS = 50;

export const createTrackState =
  (log: Log): TrackState =>
  async (connect, state) => {
    if (state !== undefined) {
      await withContext(await connect(), async (context) => {
        await applyProfile(context, context.pages()[0] ?? (await context.newPage()), state);
      });
    }
    const tracker = trackOrigins(await connect(), state === undefined ? [] : originsOf(state));
    const read = async () => {
      const origins = tracker.end();
      const tabs = await withContext(await connect(), closeTabs);
      return withContext(await connect(), (context) => readProfile(context, origins, tabs));
    };
    return {
      async read(signal) {
        const { state: stored, leftOut } = await raceAbort(read(), signal);
        if (leftOut.length > 0) log.warn({ origins: leftOut }, 'profile too large, databases left out');
        return stored;
      },
    };
  };

/** Records the origins of all pages, the most recent last. */
function trackOrigins(channel: CdpChannel, known: readonly string[]): { end(): string[] } {
  const origins = new Set(known);
  channel.onMessage((text) => {
    const { params } = JSON.parse(text);
    const { type, url } = params?.targetInfo ?? {};
    if (type !== 'page' || !/^https?:/.test(url)) return;
    const { origin } = new URL(url);
    origins.delete(origin);
    origins.add(origin);
    if (origins.size > MAX_ORIGINS) origins.delete(origins.values().next().value!);
  });
  channel.send(JSON.stringify({ id: 1, method: 'Target.setDiscoverTargets', params: { discover: true } }));
  return {
    end() {
      channel.close();
      return [...origins];
    },
  };
}

async function withContext<T>(channel: CdpChannel, work: (context: BrowserContext) => Promise<T>): Promise<T> {
  try {
    const { chromium } = await loadPlaywright();
    const transport = createPipeTransport(channel);
    const options = { artifactsDir: tmpdir(), timeout: CONNECT_MS, noDefaults: true };
    return await work((await chromium.connectOverCDP(transport, options)).contexts()[0]!);
  } finally {
    channel.close();
  }
}
