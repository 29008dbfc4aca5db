// The service's own public address, as the operator has set it. Requests to it would come back to us.
import { bareHost, portOf } from './url.ts';

/** Whether a host (as `bareHost` writes it, or an address) and port are those of the public URL, whatever the scheme. */
export function createOwnHostTest(publicUrl: string | undefined): (host: string, port: number) => boolean {
  if (publicUrl === undefined) return () => false;
  const url = new URL(publicUrl);
  const own = bareHost(url);
  // A server at one of the default ports usually answers, or redirects, at the other one as well.
  const ports = url.port === '' ? [80, 443] : [portOf(url)];
  return (host, port) => host === own && ports.includes(port);
}
