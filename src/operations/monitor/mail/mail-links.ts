// What the links in e-mails of monitors do: for programs in JSON, for people on a small page.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { donePage, lostPage, type MailAction, PAGE_HEADERS, questionPage } from '../../../monitor/mail/mail-page.ts';
import type { OpenAnswer, OpenCall } from '../../call.ts';
import { answerMail, type MailDeps, readToken } from './subscriptions.ts';

interface Deps {
  mail: MailDeps;
}

type PageCall = OpenCall<'confirmMailPage' | 'confirmMailByPage' | 'unsubscribeMailPage' | 'unsubscribeMailByPage'>;

const byJson =
  (action: MailAction) =>
  async ({ mail }: Deps, { body }: OpenCall<'confirmMail' | 'unsubscribeMail'>): Promise<OpenAnswer> => ({
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: await answerMail(mail, action, body.token),
  });

/** `write` writes the page. A link that is not valid leads to one that says so. */
const byPage =
  (write: (mail: MailDeps, token: string) => Promise<string>) =>
  async ({ mail }: Deps, { query: { token = '' } }: PageCall): Promise<OpenAnswer> => {
    const headers = { ...PAGE_HEADERS };
    try {
      return { status: 200, headers, body: await write(mail, token) };
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500)
        return { status: error.status, headers, body: lostPage() };
      throw error;
    }
  };

const question = (action: MailAction) =>
  byPage(async (mail, token) => questionPage(action, (await readToken(mail, action, token)).subscription.email));

const button = (action: MailAction) =>
  byPage(async (mail, token) => donePage(action, (await answerMail(mail, action, token)).email));

export const confirmMail = byJson('confirm');
export const unsubscribeMail = byJson('unsubscribe');
export const confirmMailPage = question('confirm');
export const confirmMailByPage = button('confirm');
export const unsubscribeMailPage = question('unsubscribe');
export const unsubscribeMailByPage = button('unsubscribe');
