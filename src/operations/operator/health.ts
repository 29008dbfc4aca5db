// How the service does, for its operator: the last hour in figures, and the disk.
import type { HealthDiskResponse } from '../../contracts/health-disk.ts';
import type { HealthHistoryQuery, HealthHistoryResponse } from '../../contracts/health-history.ts';
import type { FolderPart, FolderSizes } from '../../store/fs/folder-sizes.ts';
import type { BacklogReader } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import { requireOperator } from '../team/operator.ts';
import type { MetricsHistory } from './metrics-history.ts';

export interface HealthDeps {
  metricsHistory: Pick<MetricsHistory, 'read'>;
  disk: DiskDeps;
}

export interface DiskDeps {
  folder: string;
  measure(): Promise<FolderSizes>;
  minFreeBytes: number;
  cacheMaxBytes: number;
  backlog: BacklogReader;
}

export async function healthHistory(
  { metricsHistory }: HealthDeps,
  caller: Caller,
  { since }: HealthHistoryQuery,
): Promise<HealthHistoryResponse> {
  requireOperator(caller);
  return { success: true, data: metricsHistory.read(since) };
}

export async function healthDisk({ disk }: HealthDeps, caller: Caller): Promise<HealthDiskResponse> {
  requireOperator(caller);
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
      ...{ folder, parts: sizes, totalBytes },
      ...{ freeBytes, diskBytes, minFreeBytes, cacheBytes, cacheMaxBytes },
    },
  };
}
