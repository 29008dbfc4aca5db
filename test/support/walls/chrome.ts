// How Chrome speaks, recorded from a Chromium 156 on Linux. The bench records it anew from the installed browser.
import type { FingerprintedRequest } from './fingerprint-server.ts';

export type ChromeRecord = Pick<FingerprintedRequest, 'tls' | 'http2' | 'headerNames'>;

export const CHROME: ChromeRecord = {
  tls: {
    ciphers: [
      ...[0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014],
      ...[0x9c, 0x9d, 0x2f, 0x35],
    ],
    extensions: [0, 5, 10, 11, 13, 16, 18, 23, 27, 35, 43, 45, 51, 17613, 65037, 65281],
    groups: [4588, 29, 23, 24],
    signatures: [2308, 2309, 2310, 1027, 2052, 1025, 1283, 2053, 1281, 2054, 1537],
    alpn: ['h2', 'http/1.1'],
  },
  http2: { settings: ['1:65536', '2:0', '4:6291456', '6:262144'], windowUpdate: 15663105, pseudoHeaders: 'masp' },
  headerNames: [
    'sec-ch-ua',
    'sec-ch-ua-mobile',
    'sec-ch-ua-platform',
    'upgrade-insecure-requests',
    'user-agent',
    'accept',
    'sec-fetch-site',
    'sec-fetch-mode',
    'sec-fetch-user',
    'sec-fetch-dest',
    'accept-encoding',
    'accept-language',
    'priority',
  ],
};
