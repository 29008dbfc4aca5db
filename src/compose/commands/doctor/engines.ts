// Whether the engines that the settings name can be used. Nothing is written to them.
import type { Config } from '../../../config/settings.ts';
import { failure, type InspectionFinding } from '../../../store/tools/inspect/finding.ts';
import { ownerOf } from '../../start-up.ts';

export async function engines(config: Config): Promise<InspectionFinding[]> {
  return [...(await database(config)), ...(await index(config)), ...(await objects(config))];
}

async function database({ databaseUrl: url, secret }: Config): Promise<InspectionFinding[]> {
  if (url === undefined || secret === undefined) return [];
  const { inspectDatabase } = await import('../../../store/tools/inspect/inspect-database.ts');
  return inspectDatabase({ url, secret });
}

async function index({ indexUrl, secret }: Config): Promise<InspectionFinding[]> {
  if (indexUrl === undefined) return [];
  const { checkOpenSearch } = await import('../../../index/opensearch/open-opensearch-index.ts');
  const problem = await checkOpenSearch(indexUrl, secret && ownerOf('index', secret));
  return [
    problem === undefined ? { check: 'OpenSearch', state: 'ok', text: 'it answers' } : failure('OpenSearch', problem),
  ];
}

/** Without a secret of the settings, the data folder has one, which only its owner reads. */
async function objects({ blobs, secret }: Config): Promise<InspectionFinding[]> {
  if (!blobs) return [];
  const check = 'object store';
  const { checkS3 } = await import('../../../store/blobs/s3/open-s3.ts');
  try {
    await checkS3(blobs, secret && ownerOf('blobs', secret));
    return [{ check, state: 'ok', text: `the bucket ${blobs.bucket} can be read` }];
  } catch (error) {
    return [failure(check, (error as Error).message)];
  }
}
