// Puts together the security log, and the stream of the audit log to the collectors of teams.
import type { Config } from '../../config/settings.ts';
import type { EgressRule, ServiceMetrics } from '../../contracts/operator/metrics.ts';
import { createSiemCall } from '../../jobs/siem/siem-call.ts';
import { createSiemStream } from '../../jobs/siem/siem-stream.ts';
import { isListed } from '../../net/addresses/allow-list.ts';
import type { Egress } from '../../net/egress.ts';
import { createSecurityLog } from '../../policy/audit/security-log.ts';
import { OWN_WORK } from '../../runtime/gate/gate.ts';
import type { Log } from '../../runtime/log.ts';
import type { WorkScope } from '../../runtime/work-scope.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Duty } from '../sharing/duty.ts';

interface SecurityParts {
  store: Pick<Store, 'audit' | 'health'>;
  scope: Pick<WorkScope, 'current'>;
  metrics: Pick<ServiceMetrics, 'count'>;
  clock: Clock;
  log: Log;
}

export function composeSecurity({ store, scope, metrics, clock, log }: SecurityParts) {
  const security = createSecurityLog({ audit: store.audit, health: store.health, clock, log });
  return {
    security,
    onRefused(rule: EgressRule) {
      metrics.count('trawl_refusals_total', { rule });
      const teamId = scope.current();
      if (teamId !== OWN_WORK.team) security.record({ teamId, action: 'network.refused', details: { rule } });
    },
    /** Nobody knows whose key it was meant to be, so the operator is told. */
    wrongKeys: (operatorTeam: { id: string }) => (address: string) =>
      security.record({
        ...{ teamId: operatorTeam.id, action: 'key.refused', actor: 'unknown', address },
        details: { code: 'UNAUTHORIZED' },
      }),
  };
}

interface Parts {
  store: Pick<Store, 'audit' | 'siem' | 'health' | 'wakeUps'>;
  egress: Pick<Egress, 'request'>;
  duty: Duty;
  clock: Clock;
  log: Log;
}

export function composeAudit(config: Pick<Config, 'allowNetworks'>, { store, egress, duty, clock, log }: Parts) {
  const call = createSiemCall({ egress });
  const { isShared } = store.wakeUps;
  const stream = createSiemStream({ siem: store.siem, health: store.health, call, isShared, clock, log });
  // Collectors are set rarely, and every stream is looked at once a second: nobody is told of it.
  const wake = duty === 'all' ? stream.wake : () => {};
  return {
    parts: {
      audit: store.audit,
      siem: store.siem,
      siemStream: { call, wake, isListed: (host: string) => isListed(config.allowNetworks, host) },
    },
    /** Nothing runs as long as no team streams its log, unless another process may hear of one first. */
    async resume() {
      if (isShared || (await store.siem.nextAt()) !== undefined) wake();
    },
    stop: stream.close,
  };
}
