// Documentation of a mail API: plans in a list of cards, settings in headings with prose below, code samples between them.
import { each } from '../../../understand/labelled-page.ts';
import { integer, listOf, object, taskTemplate, text } from '../../task.ts';

const HOST = 'developers.pigeonpost.test';
const PLANS = [
  ['Hobby', 60, 2, '5 MB'],
  ['Growth', 600, 20, '15 MB'],
  ['Scale', 6000, 200, '40 MB'],
] as const;
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | Pigeonpost developers</title></head><body><div class="shell"><div class="left"><a href="/">Overview</a><a href="/limits">Limits</a><a href="/webhooks">Webhooks</a><a href="/errors">Errors</a></div><div class="middle">${body}<div class="prev-next"><a href="/">Previous</a></div></div><div class="right">On this page</div></div><div class="bottom">Status: operational. Pigeonpost BV, 2026.</div></body></html>`;

export const mailApiDocs = taskTemplate({
  name: 'mail-api-docs',
  sites: {
    [HOST]: {
      '/': layout(
        'Overview',
        '<h1>Send mail with Pigeonpost</h1><p>One request sends one message. <a href="/limits">Limits</a> depend on your plan; <a href="/webhooks">webhooks</a> tell you what became of it.</p><pre>POST /v1/messages</pre>',
      ),
      '/limits': layout(
        'Limits',
        `<h1>Limits</h1><p>Limits count for a whole account, not for a key.</p><div class="plans">${each(PLANS, ([name, perMinute, senders, size]) => `<div class="plan"><h3>${name}</h3><ul><li>Messages a minute: ${perMinute}</li><li>Verified senders: ${senders}</li><li>Largest message: ${size}</li></ul></div>`)}</div><h2>Bursts</h2><p>Twice the limit is tolerated for ten seconds.</p>`,
      ),
      '/webhooks': layout(
        'Webhooks',
        '<h1>Webhooks</h1><h2>Retries</h2><p>If your server does not answer with a status of 2xx within 8 seconds, we try again after 1, 5, 30 and 120 minutes. After the fifth failure the endpoint is paused and we send a mail to the owner of the account.</p><h2>Signatures</h2><p>Every request carries the header Pigeon-Signature, an HMAC of the body with SHA-256.</p><pre>{"event":"bounced"}</pre>',
      ),
      '/errors': layout(
        'Errors',
        '<h1>Errors</h1><dl><dt>422 recipient_unknown</dt><dd>The address does not exist.</dd><dt>429 too_many</dt><dd>Slow down.</dd></dl>',
      ),
    },
  },
  tasks: [
    {
      name: 'api-plans',
      prompt: 'Limits of each Pigeonpost plan: messages a minute, verified senders and largest message',
      urls: [`http://${HOST}/`],
      schema: object({
        plans: listOf({
          plan: text('name of the plan'),
          messagesPerMinute: integer(),
          verifiedSenders: integer(),
          largestMessage: text(),
        }),
      }),
      expected: {
        plans: PLANS.map(([plan, messagesPerMinute, verifiedSenders, largestMessage]) => ({
          plan,
          messagesPerMinute,
          verifiedSenders,
          largestMessage,
        })),
      },
      pages: [`${HOST}/limits`],
    },
    {
      name: 'api-question',
      prompt: 'When does Pigeonpost retry a webhook, and what happens after the fifth failure?',
      urls: [`http://${HOST}/`],
      statements: ['we try again after 1, 5, 30 and 120 minutes', 'After the fifth failure the endpoint is paused'],
      pages: [`${HOST}/webhooks`],
    },
  ],
});
