// Settings of the engines that several processes share. Without them, everything is in the data folder of one process.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SettingError } from '../../util/setting-error.ts';
import { httpUrl, integer, oneOf, readBy, setting } from '../rules.ts';
import { parseBlobsUrl } from './blobs-url.ts';

export const ROLES = ['all', 'api', 'worker', 'browser'] as const;
export type Role = (typeof ROLES)[number];

const SECRET_LENGTH = 32;
const HEX_SECRET = /^hex:([\da-f]{64})$/i;

/** Bytes that are given as such stay as they are: those of a data folder that was moved into a database. */
function readSecretText(text: string): Uint8Array {
  const hex = HEX_SECRET.exec(text)?.[1];
  return new Uint8Array(hex === undefined ? createHash('sha256').update(text).digest() : Buffer.from(hex, 'hex'));
}

/** Further hosts in the URL of a cluster: `https://a:9200,b:9200`. */
const FURTHER_HOSTS = /(?<=^https?:\/\/[^/,]+)(,[^/,]+)+/;

const urlOf = (protocols: RegExp, example: string, ignored?: RegExp) =>
  readBy((value) => {
    const url = URL.parse(ignored ? value.replace(ignored, '') : value);
    if (!url || !protocols.test(url.protocol) || url.host === '') throw new SettingError(`it must be ${example}`);
    return value;
  });

export const ENGINE_SETTINGS = {
  databaseUrl: setting(
    'TRAWL_DATABASE_URL',
    'none: a file in the data folder',
    urlOf(/^postgres(ql)?:$/, 'a URL such as postgres://user:password@host/database').optional(),
    'PostgreSQL for all state, which several processes can share: `postgres://user:password@host/database`. Needs TRAWL_SECRET.',
    true,
  ),
  databaseConnections: setting(
    'TRAWL_DATABASE_CONNECTIONS',
    '10',
    integer(10, 2, 1_000),
    'Connections of this process to PostgreSQL at most.',
  ),
  indexUrl: setting(
    'TRAWL_INDEX_URL',
    'none: a file in the data folder',
    urlOf(/^https?:$/, 'a URL such as https://user:password@host:9200', FURTHER_HOSTS).optional(),
    'OpenSearch (2.19 or later) for the search index: `https://user:password@host:9200`. Further nodes follow after commas: `https://a:9200,b:9200`. A path is the prefix of its index names (default: trawl).',
    true,
  ),
  blobsUrl: setting(
    'TRAWL_BLOBS_URL',
    'none: in the data folder, or in PostgreSQL',
    readBy(parseBlobsUrl).optional(),
    'S3 for large bodies and files: `s3://KEY:SECRET@host:port/bucket?region=us-east-1`, or `s3://KEY:SECRET@bucket` for Amazon. A path after the bucket lets several installations share it. `&endpoint=https://HOST` for other stores without a port, `&tls=off` for plain HTTP, `&links=presigned` lets callers download from there. Without a key, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY count.',
    true,
  ),
  secret: setting(
    'TRAWL_SECRET',
    'none: a file in the data folder',
    z
      .string()
      .min(SECRET_LENGTH, `it must have at least ${SECRET_LENGTH} characters`)
      .transform(readSecretText)
      .optional(),
    'Signs links and encrypts stored headers and profiles: 32 characters or more, or `hex:` and 64 hex digits for the bytes of the file `secret` of a data folder. All processes of one database need the same; a process with another one does not start.',
    true,
  ),
  role: setting(
    'TRAWL_ROLE',
    'all',
    oneOf(ROLES, 'all'),
    'What this process does, if several share a database: api (answers requests), worker (crawls, webhooks, monitors, indexing), browser (pages and sessions that need one), or all.',
  ),
  advertisedUrl: setting(
    'TRAWL_ADVERTISED_URL',
    'the address it listens on, with the name of the machine if that is all of them',
    httpUrl.optional(),
    'Where the other processes of the same database reach this one, for example http://10.0.0.7:3002. They send browser sessions and pages there, signed; keep it inside your network, or behind TLS.',
  ),
};
