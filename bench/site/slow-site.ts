// A site that takes the same time for each page, and is not slowed down by any number of visitors.
import { setTimeout as sleep } from 'node:timers/promises';
import { generatedArticle } from '../../test/support/web/generated.ts';
import { type Site, send } from '../../test/support/web/reply.ts';

export function slowSite(ms: number): Site {
  const article = Buffer.from(generatedArticle(1, 5_000));
  return {
    '/quick/*': (exchange) => send(exchange, article),
    '/page/*': async (exchange) => {
      await sleep(ms, undefined, { signal: exchange.signal }).catch(() => {});
      if (!exchange.signal.aborted) send(exchange, article);
    },
  };
}
