// Binds the links in e-mails of monitors, and their feeds. They are loaded with the first request, to keep an idle service small.

import { ServiceError } from '../../contracts/errors.ts';
import type { MONITOR_MAIL_ROUTES } from '../../contracts/monitor-mail-routes.ts';
import type { MailAction } from '../../monitor/mail/mail-page.ts';
import type { OpenAnswer, OpenOperations } from '../../operations/call.ts';
import type { FeedDeps } from '../../operations/monitor/feed.ts';
import type { MailDeps } from '../../operations/monitor/mail/subscriptions.ts';

/** Readers ask often, and most find nothing new. */
const FEED_CACHE = 'private, max-age=300';

export function bindMonitorMail(deps: MailDeps & FeedDeps): Pick<OpenOperations, keyof typeof MONITOR_MAIL_ROUTES> {
  const subscriptions = () => import('../../operations/monitor/mail/subscriptions.ts');
  const byJson = async (action: MailAction, token: string): Promise<OpenAnswer> => ({
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: await (await subscriptions()).answerMail(deps, action, token),
  });
  const byPage = async (action: MailAction, isAnswer: boolean, token = ''): Promise<OpenAnswer> => {
    const { answerMail, readToken } = await subscriptions();
    const { donePage, lostPage, PAGE_HEADERS, questionPage } = await import('../../monitor/mail/mail-page.ts');
    const headers = { ...PAGE_HEADERS };
    try {
      if (isAnswer)
        return { status: 200, headers, body: donePage(action, (await answerMail(deps, action, token)).email) };
      const { subscription } = await readToken(deps, action, token);
      return { status: 200, headers, body: questionPage(action, subscription.email) };
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500)
        return { status: error.status, headers, body: lostPage() };
      throw error;
    }
  };

  return {
    confirmMail: ({ body }) => byJson('confirm', body.token),
    unsubscribeMail: ({ body }) => byJson('unsubscribe', body.token),
    confirmMailPage: ({ query }) => byPage('confirm', false, query.token),
    confirmMailByPage: ({ query }) => byPage('confirm', true, query.token),
    unsubscribeMailPage: ({ query }) => byPage('unsubscribe', false, query.token),
    unsubscribeMailByPage: ({ query }) => byPage('unsubscribe', true, query.token),
    monitorFeed: async ({ params, query, baseUrl, ifNoneMatch: knownEtag }) => {
      const { readFeed } = await import('../../operations/monitor/feed.ts');
      const { etag, xml } = await readFeed(deps, { id: params.id, token: query.token ?? '', baseUrl, knownEtag });
      const headers = { etag, 'cache-control': FEED_CACHE, 'x-content-type-options': 'nosniff' };
      return xml === undefined ? { status: 304, headers, body: '' } : { status: 200, headers, body: xml };
    },
  };
}
