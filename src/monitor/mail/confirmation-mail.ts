// The one mail that an address gets before its owner has agreed to more. It says as little as possible: the name of a monitor
// is chosen by a caller, who must not be able to send texts of his own to strangers.
import type { MailText } from './check-mail.ts';
import { escapeMarkup } from './safe-text.ts';

export function writeConfirmationMail(confirmUrl: string, unsubscribeUrl: string): MailText {
  const asks = 'Somebody wants to send you e-mails when web pages change that a Trawl server watches.';
  const agree = 'If you want to get them, open this page and confirm:';
  const refuse = 'If not, do nothing: you will not be asked again. To refuse for good:';
  const link = (url: string) => `<p><a href="${escapeMarkup(url)}">${escapeMarkup(url)}</a></p>`;
  return {
    subject: 'Confirm that you want e-mails about changed web pages',
    text: `${[asks, agree, confirmUrl, refuse, unsubscribeUrl].join('\n\n')}\n`,
    html: [
      '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body style="font-family:sans-serif">',
      `<p>${asks}</p><p>${agree}</p>${link(confirmUrl)}<p>${refuse}</p>${link(unsubscribeUrl)}</body></html>`,
    ].join('\n'),
  };
}
