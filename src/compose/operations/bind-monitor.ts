// Binds the operations of monitors and their checks. They are loaded with the first request, to keep an idle service small.

import type { MONITOR_ROUTES } from '../../contracts/monitor-routes.ts';
import type { Operations } from '../../operations/call.ts';
import type { CheckDeps } from '../../operations/monitor/checks.ts';
import type { MonitorDeps } from '../../operations/monitor/monitors.ts';

export type MonitorsDeps = MonitorDeps & CheckDeps;

export function bindMonitors(deps: MonitorsDeps): Pick<Operations, keyof typeof MONITOR_ROUTES> {
  const monitors = () => import('../../operations/monitor/monitors.ts');
  const checks = () => import('../../operations/monitor/checks.ts');
  return {
    createMonitor: async ({ caller, body, baseUrl }) => (await monitors()).createMonitor(deps, caller, body, baseUrl),
    listMonitors: async ({ caller, query }) => (await monitors()).listMonitors(deps, caller, query),
    getMonitor: async ({ caller, params }) => (await monitors()).getMonitor(deps, caller, params.id),
    updateMonitor: async ({ caller, params, body, baseUrl }) =>
      (await monitors()).updateMonitor(deps, caller, params.id, body, baseUrl),
    deleteMonitor: async ({ caller, params }) => (await monitors()).deleteMonitor(deps, caller, params.id),
    runMonitor: async ({ caller, params }) => (await checks()).runMonitor(deps, caller, params.id),
    listChecks: async ({ caller, params, query }) => (await checks()).listChecks(deps, caller, params.id, query),
    getCheck: async ({ caller, params, query, baseUrl }) =>
      (await checks()).getCheck(deps, caller, { monitorId: params.id, checkId: params.checkId, query, baseUrl }),
  };
}
