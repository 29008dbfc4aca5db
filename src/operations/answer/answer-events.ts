// An answer as server-sent events: what happens on the way, then the answer, or the error that it ended with.
import { Download } from '../../archive/download.ts';
import type { AnswerProgress, AnswerResponse } from '../../contracts/answer/answer.ts';
import { errorBody, ServiceError } from '../../contracts/errors/errors.ts';

export type OnProgress = (progress: AnswerProgress) => void;

const HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** Failures until the first event are those of the request. `work` ends with the signal when nobody listens any more. */
export const answerEvents = (work: (onProgress: OnProgress, until: AbortSignal) => Promise<AnswerResponse>): Download =>
  new Download(events(work), { type: 'text/event-stream; charset=utf-8', name: 'answer.txt', headers: HEADERS });

async function* events(work: Parameters<typeof answerEvents>[0]): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  const left = new AbortController();
  let news = Promise.withResolvers<void>();
  let isBegun = false;
  let ended: { answer: AnswerResponse } | { error: unknown } | undefined;
  const working = work((progress) => {
    waiting.push(event('progress', progress));
    news.resolve();
  }, left.signal)
    .then((answer) => {
      ended = { answer };
    })
    .catch((error: unknown) => {
      ended = { error };
    })
    .finally(() => news.resolve());
  try {
    while (!ended || waiting.length > 0) {
      const next = waiting.shift();
      if (next) {
        isBegun = true;
        yield next;
      } else {
        await news.promise;
        news = Promise.withResolvers<void>();
      }
    }
    if ('answer' in ended) yield event('answer', ended.answer);
    else if (isBegun && ended.error instanceof ServiceError) yield event('error', errorBody(ended.error));
    else throw ended.error;
  } finally {
    left.abort();
    await working;
  }
}

const event = (name: string, data: object): Uint8Array =>
  Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
