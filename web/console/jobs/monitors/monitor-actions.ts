// What can be done with a monitor. Each tells how it went, and returns whether it was done.
import { call } from '../../api/call.ts';
import { confirm } from '../../ui/controls/dialog.tsx';
import { perform } from '../parts.tsx';

export const setMonitorStatus = (id: string, status: 'active' | 'paused'): Promise<boolean> =>
  perform(async () => {
    await call('updateMonitor', { params: { id }, body: { status } });
    return status === 'paused' ? 'The monitor is paused: no check starts by itself.' : 'The monitor is active again.';
  });

export const runMonitor = (id: string): Promise<boolean> =>
  perform(async () => {
    await call('runMonitor', { params: { id } });
    return 'A check has started.';
  });

export async function deleteMonitor(id: string, name: string): Promise<boolean> {
  const isSure = await confirm({
    title: 'Delete this monitor?',
    text: `“${name}” and all its checks are deleted. This cannot be undone.`,
    action: 'Delete the monitor',
  });
  return (
    isSure &&
    perform(async () => {
      await call('deleteMonitor', { params: { id } });
      return 'The monitor is deleted.';
    })
  );
}
