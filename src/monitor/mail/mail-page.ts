// The small web pages behind the links in mails. Only their button changes something: programs that open links in advance
// send no forms.
import { escapeMarkup } from './safe-text.ts';

export type MailAction = 'confirm' | 'unsubscribe';

const QUESTIONS: Readonly<Record<MailAction, { question: (email: string) => string; button: string }>> = {
  confirm: { question: (email) => `Send e-mails about changed web pages to ${email}?`, button: 'Yes, send them' },
  unsubscribe: {
    question: (email) => `Send no more e-mails about changed web pages to ${email}?`,
    button: 'Stop them',
  },
};
const DONE: Readonly<Record<MailAction, (email: string) => string>> = {
  confirm: (email) => `${email} will get e-mails when something changes.`,
  unsubscribe: (email) => `${email} will get no more e-mails of this sender.`,
};

/** The form is sent to the address of the page itself, whose query has the token. */
export function questionPage(action: MailAction, email: string): string {
  const { question, button } = QUESTIONS[action];
  return page(`<p>${escapeMarkup(question(email))}</p><form method="post"><button>${button}</button></form>`);
}

export const donePage = (action: MailAction, email: string): string =>
  page(`<p>${escapeMarkup(DONE[action](email))}</p>`);

export const lostPage = (): string => page('<p>This link is not valid. Open the link in the e-mail again.</p>');

const page = (content: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>E-mails about changed web pages</title></head><body style="font-family:sans-serif;max-width:40em;margin:4em auto;padding:0 1em">${content}</body></html>`;

/** Nothing may be loaded or run, and the token must not leak. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
