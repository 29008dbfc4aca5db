// The only way out of the process: one HTTP exchange with a target, through the address rules, pinned to a checked address.
import type { ProxyClass } from '../contracts/page.ts';

export interface EgressRequest {
  url: URL;
  method?: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** Which upstream proxy carries it, if one is set for the class; 'direct' never uses one (providers, webhooks). */
  route: ProxyClass | 'direct';
  /** Picks the upstream proxy of a country, where the operator listed one. */
  country?: string;
  verifyTls: boolean;
}

export interface EgressResponse {
  url: URL;
  status: number;
  /** Lower-case names; repeated headers joined by ", ". */
  headers: Record<string, string>;
  /** Every Set-Cookie line by itself: they cannot be joined. */
  setCookies: string[];
  /** Decompressed and capped. Must be read to its end or destroyed. */
  body: AsyncIterable<Uint8Array> & { destroy(): void };
}

export interface Egress {
  /** One hop: redirects are answers here (redirects.ts follows them). Throws ServiceError. */
  request(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse>;
  /** Refuses a URL that no request could go to, without asking DNS: for validation at the door. Throws ServiceError. */
  check(url: URL): void;
  hasProxy(proxyClass: ProxyClass): boolean;
  close(): Promise<void>;
}
