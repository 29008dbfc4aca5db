// TRAWL_BLOBS_URL as the place of a bucket. Its key may also come from the variables that Amazon's own programs read.
import type { S3Settings } from '../../store/blobs/s3/s3-settings.ts';
import { SettingError } from '../../util/setting-error.ts';

type Place = Omit<S3Settings, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>;
type Credentials = Pick<S3Settings, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>;

export type BlobsUrl = Place & { credentials?: Credentials };

const REGION = 'us-east-1';
const BUCKET = /^[a-z0-9][\w.-]{1,62}$/i;
const SEGMENT = /^(?!\.{1,2}$)[\w.-]+$/;
const PARAMETERS = new Set(['region', 'tls', 'links', 'endpoint']);

/** `s3://KEY:SECRET@host:port/bucket/prefix`, or `s3://KEY:SECRET@bucket/prefix` for Amazon. */
export function parseBlobsUrl(value: string): BlobsUrl {
  const url = URL.parse(value);
  if (url?.protocol !== 's3:' || url.host === '')
    throw new SettingError('it must be a URL such as s3://key:secret@host:9000/bucket');
  const query = readQuery(url);
  const segments = decoded(url.pathname).split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  const isAmazon = url.port === '' && query.endpoint === undefined;
  const bucket = url.port === '' ? decoded(url.hostname) : (segments.shift() ?? '');
  if (!BUCKET.test(bucket)) throw new SettingError('it must name a bucket: s3://key:secret@host:9000/bucket');
  if (!segments.every((segment) => SEGMENT.test(segment)))
    throw new SettingError('the path after the bucket may only contain letters, digits, - . _ and /');
  const credentials = readCredentials(url);
  return {
    ...(isAmazon ? amazonPlace(bucket, query) : otherPlace(url, bucket, query)),
    bucket,
    prefix: segments.map((segment) => `${segment}/`).join(''),
    region: query.region ?? REGION,
    hasPresignedLinks: query.links === 'presigned',
    ...(credentials && { credentials }),
  };
}

type Query = Partial<Record<'region' | 'tls' | 'links' | 'endpoint', string>>;

function readQuery({ searchParams }: URL): Query {
  const query = Object.fromEntries(searchParams);
  const unknown = Object.keys(query).find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) throw new SettingError(`it has the unknown parameter "${unknown}"`);
  if (query.tls !== undefined && !['on', 'off'].includes(query.tls)) throw new SettingError('tls must be on or off');
  if (query.links !== undefined && !['own', 'presigned'].includes(query.links))
    throw new SettingError('links must be own or presigned');
  if (query.region !== undefined && !/^[\w-]+$/.test(query.region))
    throw new SettingError('region must be a name such as eu-central-1');
  return query;
}

/** Certificates of Amazon do not cover bucket names with dots, which is why these go into the path. */
function amazonPlace(bucket: string, { region = REGION, tls }: Query): Pick<Place, 'origin' | 'root'> {
  const scheme = tls === 'off' ? 'http' : 'https';
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.')
    ? { origin: `${scheme}://${host}`, root: `/${bucket}` }
    : { origin: `${scheme}://${bucket}.${host}`, root: '' };
}

function otherPlace({ host }: URL, bucket: string, { endpoint, tls }: Query): Pick<Place, 'origin' | 'root'> {
  const scheme = tls === 'off' ? 'http' : 'https';
  const url = URL.parse(endpoint ?? `${scheme}://${host}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw new SettingError('endpoint must be an http or https URL such as https://s3.example.com');
  return { origin: url.origin, root: `${url.pathname.replace(/\/+$/, '')}/${bucket}` };
}

function readCredentials({ username, password }: URL): Credentials | undefined {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') throw new SettingError('it must have a key and its secret, or neither');
  return { accessKeyId: decoded(username), secretAccessKey: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SettingError('a percent sign in it must be written as %25');
  }
}

/** Throws a SettingError if neither the URL nor the environment has a key. */
export function withCredentials({ credentials, ...place }: BlobsUrl, env: NodeJS.ProcessEnv): S3Settings {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (credentials) return { ...place, ...credentials };
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new SettingError(
      'TRAWL_BLOBS_URL has no key. Write s3://KEY:SECRET@..., or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  return {
    ...place,
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}
