// The name of a host in a request: without protocol, port or path.
import { z } from 'zod';

/** More than DNS allows, in any spelling that is converted to it. */
const MAX_HOSTNAME_LENGTH = 1_000;

export const hostname = z
  .string()
  .max(MAX_HOSTNAME_LENGTH)
  .transform((text, context) => {
    const name = text.trim().toLowerCase();
    const url = /^[^\s/:@?#\\*[\]]+$/.test(name) ? URL.parse(`http://${name}/`) : null;
    if (url && url.hostname !== '') return url.hostname.replace(/\.$/, '');
    context.addIssue({
      code: 'custom',
      message: `'${text.slice(0, 100)}' is not a hostname. Write only the host, for example "example.com", without protocol, port or path.`,
    });
    return z.NEVER;
  });
export const hostnames = z.array(hostname).max(300);
