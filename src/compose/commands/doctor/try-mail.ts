// Whether e-mails can be sent, for `trawl doctor`; with --network it connects and signs in, and sends nothing.
import type { Config } from '../../../config/settings.ts';
import { verifySmtp } from '../../../jobs/mail/smtp-call.ts';
import type { InspectionFinding } from '../../../store/tools/inspect/finding.ts';
import { composeEgress } from '../../egress.ts';

const CHECK = 'e-mail';
const LIMIT_MS = 20_000;

export async function tryMail(config: Config, isTried: boolean): Promise<InspectionFinding> {
  const { smtp, smtpFrom, publicUrl } = config;
  if (!smtp || !smtpFrom) return { check: CHECK, state: 'skipped', text: 'no mail server is set (TRAWL_SMTP_URL)' };
  const server = `${smtp.host}:${smtp.port}`;
  const problem = isTried ? await verify(config) : undefined;
  if (problem !== undefined) {
    const todo = 'Check TRAWL_SMTP_URL: docs/operate/settings.md.';
    return { check: CHECK, state: 'warn', text: `${server}: ${problem}`, todo };
  }
  const text = isTried ? `${server} answers` : `${server} (not tried; --network asks it)`;
  if (publicUrl !== undefined) return { check: CHECK, state: 'ok', text };
  return { check: CHECK, state: 'warn', text, todo: 'Set TRAWL_PUBLIC_URL: links in e-mails begin with it.' };
}

async function verify(config: Config): Promise<string | undefined> {
  const egress = composeEgress(config, { ownAddress: () => undefined });
  try {
    return await verifySmtp({ egress, server: config.smtp!, from: config.smtpFrom!, limitMs: LIMIT_MS });
  } finally {
    await egress.close();
  }
}
