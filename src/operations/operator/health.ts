// How the service does, for its operator: the last hour in figures, and the disk.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { HealthDiskResponse } from '../../contracts/operator/health-disk.ts';
import type { HealthHistoryResponse } from '../../contracts/operator/health-history.ts';
import type { ServiceProcess } from '../../contracts/operator/service-process.ts';
import type { FolderPart, FolderSizes } from '../../store/data-folder/folder-sizes.ts';
import type { BacklogReader } from '../../store/ports/store.ts';
import type { Call } from '../call.ts';
import { requireOperator } from '../team/operator.ts';
import type { MetricsHistory } from './metrics-history.ts';

export interface HealthDeps {
  metricsHistory: Pick<MetricsHistory, 'read'>;
  disk: DiskDeps;
  /** The one that answers. */
  ownProcess: ServiceProcess;
}

interface DiskDeps {
  folder: string;
  measure(): Promise<FolderSizes>;
  minFreeBytes: number;
  cacheMaxBytes: number;
  backlog: BacklogReader;
}

export async function healthHistory(
  { metricsHistory, ownProcess }: HealthDeps,
  { caller, query: { process, since } }: Call<'healthHistory'>,
): Promise<HealthHistoryResponse> {
  requireOperator(caller);
  requireOwn(ownProcess, process);
  return { success: true, data: { process: ownProcess, ...metricsHistory.read(since) } };
}

export async function healthDisk(
  { disk, ownProcess }: HealthDeps,
  { caller, query }: Call<'healthDisk'>,
): Promise<HealthDiskResponse> {
  requireOperator(caller);
  requireOwn(ownProcess, query.process);
  const { folder, minFreeBytes, cacheMaxBytes } = disk;
  const [{ parts, freeBytes, diskBytes }, { cacheBytes }] = await Promise.all([disk.measure(), disk.backlog.read()]);
  const sizes = Object.entries(parts).map(([part, { bytes, files, isEstimate }]) => ({
    ...{ part: part as FolderPart, bytes, files },
    estimate: isEstimate,
  }));
  const totalBytes = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    success: true,
    data: {
      ...{ process: ownProcess, folder, parts: sizes, totalBytes },
      ...{ freeBytes, diskBytes, minFreeBytes, cacheBytes, cacheMaxBytes },
    },
  };
}

/** Calls for other processes have been sent there. */
function requireOwn({ id }: ServiceProcess, process: string | undefined): void {
  if (process !== undefined && process !== id) throw new ServiceError('PROCESS_NOT_FOUND');
}
