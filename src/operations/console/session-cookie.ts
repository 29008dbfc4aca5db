// The cookie of a console session. Scripts cannot read it, and pages of other sites cannot make the browser send it.
import { isSessionSecret } from './console-sessions.ts';

/** Browsers accept this name only over HTTPS, from the host itself and for all its paths. */
const HOST_PREFIX = '__Host-';

export interface SessionCookie {
  /** The secret in a Cookie header. Several cookies of one name were not set by us, so none of them counts. */
  read(header: string | undefined): string | undefined;
  /** A Set-Cookie header. */
  write(secret: string, isHttps: boolean, maxAgeMs: number): string;
  /** Set-Cookie headers that remove it. */
  remove(): string[];
}

/** Services on other ports of a host share its cookies, so each installation has its own name. */
export function createSessionCookie(installation: string): SessionCookie {
  const name = `trawl_session_${installation}`;
  const attributes = 'Path=/; HttpOnly; SameSite=Strict';
  const write: SessionCookie['write'] = (secret, isHttps, maxAgeMs) => {
    const cookie = `${name}=${secret}; ${attributes}; Max-Age=${Math.round(maxAgeMs / 1000)}`;
    return isHttps ? `${HOST_PREFIX}${cookie}; Secure` : cookie;
  };
  return {
    read(header = '') {
      const pairs = header.split(';').map((pair) => pair.trim());
      const valuesOf = (wanted: string) =>
        pairs.filter((pair) => pair.startsWith(`${wanted}=`)).map((pair) => pair.slice(wanted.length + 1));
      const strict = valuesOf(HOST_PREFIX + name);
      const [value, ...others] = strict.length > 0 ? strict : valuesOf(name);
      return value !== undefined && others.length === 0 && isSessionSecret(value) ? value : undefined;
    },
    write,
    remove: () => [write('', false, 0), write('', true, 0)],
  };
}
