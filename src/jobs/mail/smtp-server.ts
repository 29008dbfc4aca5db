// The mail server of the operator, as the setting gives it: a URL whose scheme says how the connection is encrypted.
import { SettingError } from '../../util/setting-error.ts';

export interface SmtpServer {
  /** A name or an address, without brackets. */
  host: string;
  port: number;
  /** From the start (smtps), after the greeting (starttls, refused if the server cannot), or not at all. */
  encryption: 'tls' | 'starttls' | 'none';
  user?: string;
  password?: string;
}

const SCHEMES: Readonly<Record<string, { encryption: SmtpServer['encryption']; port: number }>> = {
  'smtps:': { encryption: 'tls', port: 465 },
  'starttls:': { encryption: 'starttls', port: 587 },
  'smtp:': { encryption: 'none', port: 25 },
};
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;

/** Errors never contain credentials. */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  const scheme = url && SCHEMES[url.protocol];
  const isPlain = url && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
  if (!scheme || !isPlain || url.hostname === '') {
    throw new SettingError(
      'it must be smtps://, starttls:// or smtp://, such as starttls://user:password@mail.example.org:587',
    );
  }
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const server: SmtpServer = { host, port: Number(url.port) || scheme.port, encryption: scheme.encryption };
  if (url.username === '') return server;
  if (scheme.encryption === 'none' && !LOOPBACK.test(host)) {
    throw new SettingError('smtp:// would send the password in clear: use starttls:// or smtps://');
  }
  return { ...server, user: decoded(url.username), password: decoded(url.password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SettingError('user and password must be percent-encoded');
  }
}

/** How the egress names the server it may connect to. */
export const smtpEndpoint = ({ host, port }: SmtpServer): string => `${host}:${port}`;

export interface Sender {
  name: string;
  address: string;
}

/** `ops@example.org` or `Trawl <ops@example.org>`. */
export function parseSender(text: string): Sender {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
  if (!isAddress(address.trim()) || /\p{Cc}/u.test(text)) {
    throw new SettingError('it must be an e-mail address, or a name with one: Trawl <trawl@example.org>');
  }
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() };
}

export interface TrustedRecipients {
  has(address: string): boolean;
}

/** Addresses, and domains as `@example.org`. */
export function parseTrustedRecipients(text: string): TrustedRecipients {
  const entries = text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
  const wrong = entries.findIndex((entry) => !isAddress(entry.startsWith('@') ? `x${entry}` : entry));
  if (wrong !== -1)
    throw new SettingError(`entry ${wrong + 1} is neither an address nor a domain such as @example.org`);
  const known = new Set(entries);
  return {
    has(address) {
      const lower = address.toLowerCase();
      return known.has(lower) || known.has(lower.slice(lower.lastIndexOf('@')));
    },
  };
}

const isAddress = (text: string): boolean => /^[^\s@<>",;:]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)*$/i.test(text);
