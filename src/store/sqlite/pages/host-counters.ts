// The counters of hosts in SQLite, which are changed at once: nobody else writes meanwhile.
import { hostOf, nameOf } from '../../rules/pages/host-list.ts';
import type { HostCounters } from '../../sql/pages/stored/host-list.ts';

export const hostCounters: HostCounters = {
  async count(tx, changes) {
    for (const { owner, url, pages = 0, tracked = 0, bytes = 0, at = 0 } of changes) {
      const host = hostOf(url);
      const name = nameOf(host);
      await tx.run`
        INSERT INTO stored_hosts (owner, name, host, pages, tracked, bytes, newest_at)
        VALUES (${owner}, ${name}, ${host}, ${pages}, ${tracked}, ${bytes}, ${at})
        ON CONFLICT DO UPDATE SET pages = pages + excluded.pages, tracked = tracked + excluded.tracked,
          bytes = bytes + excluded.bytes, newest_at = max(newest_at, excluded.newest_at)`;
      if (pages >= 0 && tracked >= 0 && bytes >= 0) continue;
      await tx.run`
        DELETE FROM stored_hosts
        WHERE owner = ${owner} AND name = ${name} AND host = ${host} AND pages <= 0 AND tracked <= 0 AND bytes <= 0`;
    }
  },
  fold() {},
};
