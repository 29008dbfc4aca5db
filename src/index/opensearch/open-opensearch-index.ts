// Opens the index on OpenSearch as the service sees it.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { type OwnedPageIndex, openThreadIndex } from '../thread-index.ts';
import { createEngine, reasonOf } from './engine/engine.ts';
import { type IndexAddress, readIndexAddress } from './engine/index-address.ts';
import { isOwnIndex } from './engine/index-owner.ts';
import { UNAVAILABLE } from './engine/index-unavailable.ts';
import { indexName } from './engine/page-mapping.ts';

export interface OpenSearchOptions {
  /** TRAWL_INDEX_URL. */
  url: string;
  /** The same for all processes that share the index, and for nobody else. */
  installation?: string;
  onCrash?(error: Error): void;
  /** OpenSearch cannot be reached now. The service starts anyway: searches fail until it is back. */
  onUnreachable?(reason: string): void;
}

const OLDEST = { major: 2, minor: 19 };

/** A problem that only the operator can solve is returned as a sentence for people. */
export async function openOpenSearchIndex(options: OpenSearchOptions): Promise<OwnedPageIndex | { problem: string }> {
  const address = readIndexAddress(options.url);
  if ('problem' in address) return { problem: `TRAWL_INDEX_URL cannot be used: ${address.problem}.` };
  const problem = await check(address, options);
  if (problem !== undefined) return { problem };
  return openThreadIndex({
    entry: new URL('./opensearch-thread.ts', import.meta.url),
    workerData: { address, installation: options.installation },
    onCrash: options.onCrash,
    faultOf: (cause) =>
      new ServiceError((cause as { code?: string }).code === UNAVAILABLE ? 'INDEX_UNAVAILABLE' : 'UNKNOWN_ERROR', {
        cause,
      }),
  });
}

/** Opens nothing. A sentence for people if the index cannot be used there. */
export async function checkOpenSearch(url: string, installation?: string): Promise<string | undefined> {
  const address = readIndexAddress(url);
  if ('problem' in address) return `TRAWL_INDEX_URL cannot be used: ${address.problem}.`;
  let unreachable: string | undefined;
  const problem = await check(address, {
    installation,
    onUnreachable: (reason) => {
      unreachable = `OpenSearch cannot be reached (${reason}). Check TRAWL_INDEX_URL, and whether it runs there.`;
    },
  });
  return problem ?? unreachable;
}

interface Greeting {
  version?: { distribution?: string; number?: string };
}

async function check(
  address: IndexAddress,
  { installation, onUnreachable }: Pick<OpenSearchOptions, 'installation' | 'onUnreachable'>,
): Promise<string | undefined> {
  const engine = createEngine(address);
  try {
    const { status, body } = await engine.call<Greeting>({ method: 'GET', path: '/', timeoutMs: 5_000 });
    if (status === 401 || status === 403)
      return 'OpenSearch refuses the credentials in TRAWL_INDEX_URL. Set the user and password of an account that may create and write indexes.';
    const problem = versionProblem(body.version ?? {});
    if (problem !== undefined) return problem;
    const name = indexName(address.prefix);
    return (await isOwnIndex(engine, name, installation)) ? undefined : notOurs(name);
  } catch (error) {
    onUnreachable?.(reasonOf(error));
    return undefined;
  } finally {
    await engine.close();
  }
}

const notOurs = (name: string): string =>
  `The index ${name} at TRAWL_INDEX_URL belongs to another installation. Add a path of its own to the URL, or delete the index if that installation no longer exists.`;

function versionProblem({ distribution, number = '' }: NonNullable<Greeting['version']>): string | undefined {
  if (distribution !== 'opensearch')
    return 'The server at TRAWL_INDEX_URL is not an OpenSearch. Set the URL of an OpenSearch 2.19 or later.';
  const [major = 0, minor = 0] = number.split('.').map(Number);
  const isOldEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  if (isOldEnough) return undefined;
  return `OpenSearch ${number} at TRAWL_INDEX_URL is too old. Update it to ${OLDEST.major}.${OLDEST.minor} or later.`;
}
