// Settings of the e-mails that monitors send.
import { parseSender, parseSmtpUrl, parseTrustedRecipients } from '../../jobs/mail/smtp-server.ts';
import { readBy, setting } from '../rules.ts';

export const MAIL_SETTINGS = {
  smtp: setting(
    'TRAWL_SMTP_URL',
    'none',
    readBy(parseSmtpUrl).optional(),
    'Mail server for the e-mails of monitors, e.g. `starttls://user:password@mail.example.org:587`. smtps:// is encrypted from the start, smtp:// is not encrypted. It may be private. Without one, monitors send no e-mail.',
    // The URL may contain a password.
    true,
  ),
  smtpFrom: setting(
    'TRAWL_SMTP_FROM',
    'none',
    readBy(parseSender).optional(),
    'Sender of the e-mails, e.g. `Trawl <trawl@example.org>`. Required with TRAWL_SMTP_URL.',
  ),
  smtpTrusted: setting(
    'TRAWL_SMTP_RECIPIENTS',
    'none',
    readBy(parseTrustedRecipients).default(() => parseTrustedRecipients('')),
    'Addresses, and domains such as `@example.org`, that get e-mails without confirming first. All others are asked once, and get nothing else until they agree.',
  ),
};
