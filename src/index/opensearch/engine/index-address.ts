// Reads TRAWL_INDEX_URL: nodes, credentials, and the prefix of index names.

export interface IndexAddress {
  /** Origins such as `https://host:9200`, all of one cluster. */
  nodes: string[];
  authorization?: string;
  prefix: string;
}

const DEFAULT_PREFIX = 'trawl';
const SETTING = /^(https?):\/\/(?:([^@/]*)@)?([^/?#]+)(?:\/([^?#]*))?$/;
/** What OpenSearch accepts in the name of an index. */
const PREFIX = /^[a-z0-9][a-z0-9_.-]{0,100}$/;

/** Such as `https://user:password@host:9200/prefix`. Further nodes follow the first: `https://a:9200,b:9200`. */
export function readIndexAddress(url: string): IndexAddress | { problem: string } {
  const [, protocol, credentials, hosts, path = ''] = SETTING.exec(url) ?? [];
  if (!protocol || !hosts) return { problem: 'it must be a URL such as https://user:password@host:9200' };
  const nodes = hosts.split(',').map((host) => `${protocol}://${host}`);
  if (!nodes.every((node) => URL.canParse(node))) return { problem: 'one of its hosts is not valid' };
  const prefix = path.replace(/\/+$/, '') || DEFAULT_PREFIX;
  if (!PREFIX.test(prefix))
    return { problem: 'its path is the prefix of index names: lower-case letters, digits, dots, dashes' };
  if (!credentials) return { nodes, prefix };
  const [user = '', ...password] = credentials.split(':').map(decoded);
  return { nodes, prefix, authorization: `Basic ${Buffer.from(`${user}:${password.join(':')}`).toString('base64')}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
