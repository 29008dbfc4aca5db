// The tables behind address-rules.ts: networks and names that the operator may allow, and ports that are never allowed.

/** IANA's special-purpose registries, multicast and reserved space. Ranges that embed IPv4 are listed whole. */
export const FORBIDDEN_RANGES = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's host service, global in form only
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '::/96', // unspecified, loopback, IPv4-compatible
  '::ffff:0:0/96', // IPv4-mapped
  '64:ff9b::/96', // NAT64
  '64:ff9b:1::/48', // NAT64, local use
  '100::/64', // discard
  '2001::/23', // Teredo, ORCHID and other protocol assignments
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fc00::/7', // unique local
  'fe80::/10', // link-local
  'fec0::/10', // site-local
  'ff00::/8', // multicast
] as const;

/** IANA's global unicast space for IPv6. No address outside of it is global, listed above or not. */
export const GLOBAL_IPV6 = '2000::/3';

/**
 * Suffixes of names for this machine or this network. From .nip.io on: public services whose names resolve to the
 * address they spell (or to loopback), which matters where an upstream proxy resolves names for us.
 */
export const FORBIDDEN_NAMES = [
  '.localhost',
  '.localdomain',
  '.local',
  '.internal',
  '.home.arpa',
  '.kubernetes.default',
  '.svc',
  '.nip.io',
  '.sslip.io',
  '.xip.io',
  '.localtest.me',
  '.lvh.me',
  '.vcap.me',
] as const;

/** The "bad ports" of the WHATWG Fetch standard: other protocols that an HTTP request could be abused to speak. */
export const BAD_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
