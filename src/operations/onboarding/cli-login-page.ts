// The page on which a person approves the login of the command line. It is one file without anything from elsewhere.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../../../web/cli-auth/page.html');
const OPERATOR_MARK = 'data-operator="no"';

export interface CliLoginPage {
  html: string;
  headers: Record<string, string>;
}

export type WriteCliLoginPage = (isOperator: boolean) => CliLoginPage;

/** The operator at the machine itself needs no key. What the page says does not decide: the approval is checked again. */
export function readCliLoginPage(): WriteCliLoginPage {
  const html = readFileSync(FILE, 'utf8');
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `script-src '${hashOf(html, 'script')}'`,
      `style-src '${hashOf(html, 'style')}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    'cross-origin-opener-policy': 'same-origin',
  };
  return (isOperator) => ({
    html: isOperator ? html.replace(OPERATOR_MARK, 'data-operator="yes"') : html,
    headers: { ...headers },
  });
}

/** The hash of the one element of that name, as a source of the Content-Security-Policy. */
function hashOf(html: string, element: 'script' | 'style'): string {
  const text = html.slice(html.indexOf(`<${element}>`) + element.length + 2, html.indexOf(`</${element}>`));
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
