// Keeps what a page receives over https, which no proxy can see: the browser tells of it, after it has undone the content coding.
import type { Page, Request, Response } from 'playwright-core';
import type { HeaderLines, Recorder } from '../../../../net/recorder.ts';
import { raceTimeout } from '../../../../util/abort.ts';

/** A page that has gone on keeps no bodies of what it loaded before. */
const TELL_MS = 5_000;

type Line = { name: string; value: string };

/** Call the returned function when the page is done: it resolves when everything is kept. */
export function recordTraffic(page: Page, recorder: Recorder): () => Promise<void> {
  const telling = new Set<Promise<void>>();
  page.on('requestfinished', (request) => {
    if (!request.url().startsWith('https:')) return;
    const told = raceTimeout(tell(request, recorder), TELL_MS, () => undefined)
      .catch(() => {})
      .finally(() => telling.delete(told));
    telling.add(told);
  });
  return async () => void (await Promise.all(telling));
}

async function tell(request: Request, recorder: Recorder): Promise<void> {
  const response = await request.response();
  if (!response) return;
  const [sent, received] = await Promise.all([request.headersArray(), response.headersArray()]);
  const body = await bodyOf(response);
  const recording = recorder.begin(
    { url: new URL(request.url()), method: request.method(), headers: pairs(sent) },
    { status: response.status(), statusText: response.statusText(), headers: pairs(received), isDecoded: true },
  );
  if (!body) return recording.cut();
  recording.add(body);
  recording.end();
}

/** Redirects have none. Undefined if it is gone. */
async function bodyOf(response: Response): Promise<Uint8Array | undefined> {
  const status = response.status();
  if (status >= 300 && status < 400) return new Uint8Array();
  return response.body().catch(() => undefined);
}

const pairs = (lines: readonly Line[]): HeaderLines => lines.map(({ name, value }) => [name, value] as const);
