// What an event of the audit log is about. Events are stored for long and sent elsewhere, and URLs carry tokens, so a target
// is a host, or a name that the service itself has given or listed: an ID, the prefix of a key, a team, a call.
import { bareHost } from '../../urls/url.ts';

declare const made: unique symbol;
/** Made by `auditTarget` alone. */
export type AuditTarget = string & { readonly [made]: true };

/** Keeps only the host of a URL, also of one that comes as a text. */
export function auditTarget(of: URL | string): AuditTarget {
  const url = typeof of !== 'string' ? of : of.includes('://') ? URL.parse(of) : undefined;
  if (url === null) return '' as AuditTarget;
  return (url ? bareHost(url) : of) as AuditTarget;
}
