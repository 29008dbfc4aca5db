// What is remembered of sites. It is a help for reading and no data of anybody's: a process that is killed may lose what it has
// learnt in the last seconds.
import type { PageOwner } from '../../../page/page-owner.ts';
import { learnPage, readSiteMemory } from '../../../page/site-memory.ts';
import { MAX_SITES, type SiteMemoryStore } from '../../ports/pages/site-memory-store.ts';
import type { Awaitable, Database, Remover } from '../database.ts';

export interface SiteMemoryRows extends SiteMemoryStore {
  removeSite(owners: readonly PageOwner[], site: string): Awaitable<unknown>;
  removeOldest: Remover;
}

export const createSiteMemoryRows = (database: Database): SiteMemoryRows => ({
  async find(owner, site) {
    const row = await database.one<{ memory: Uint8Array }>`
      SELECT memory FROM site_memories WHERE owner = ${owner} AND site = ${site}`;
    return row?.memory;
  },
  learn: (owner, site, pages, now) =>
    database.transaction(async (tx) => {
      const row = await tx.one<{ memory: Uint8Array }>`
        SELECT memory FROM site_memories WHERE owner = ${owner} AND site = ${site} FOR UPDATE`;
      const known = row && readSiteMemory(row.memory);
      const { buffer, byteOffset, byteLength } = pages.reduce(learnPage, known)!;
      const memory = new Uint8Array(buffer, byteOffset, byteLength);
      await tx.run`
        INSERT INTO site_memories (owner, site, memory, learnt_at) VALUES (${owner}, ${site}, ${memory}, ${now})
        ON CONFLICT (owner, site) DO UPDATE SET memory = excluded.memory, learnt_at = excluded.learnt_at`;
      return memory;
    }),
  removeSite: (owners, site) =>
    database.run`DELETE FROM site_memories WHERE owner = ANY(${owners}::text[]) AND site = ${site}`,
  removeOldest: (_now, limit) =>
    database.run`
      DELETE FROM site_memories WHERE (owner, site) IN (
        SELECT owner, site FROM site_memories
        ORDER BY learnt_at DESC LIMIT ${limit} OFFSET ${MAX_SITES} FOR UPDATE SKIP LOCKED)`,
});
