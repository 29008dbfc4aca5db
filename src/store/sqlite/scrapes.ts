// Scrapes of the last day and the credits they cost: all their SQL.
import type { TransformOutcome } from '../../contracts/page.ts';
import type { ScrapeRecord, ScrapeStore } from '../scrapes.ts';
import type { Bodies } from './bodies.ts';
import type { Connection } from './connection.ts';
import type { ResultRows } from './results.ts';
import type { Served } from './served.ts';
import { startOfHour } from './teams.ts';

export interface ScrapeRows extends Served<ScrapeStore> {
  removeExpired(now: number, limit: number): number;
}

interface ScrapeRow {
  url: string;
  options: string;
  metadata: string;
  warning: string | null;
  bodyId: number;
  createdAt: number;
  expiresAt: number;
}

export function createScrapeRows(connection: Connection, bodies: Bodies, results: ResultRows): ScrapeRows {
  const addCredits = connection.prepare(
    `INSERT INTO usage (team_id, hour, credits) VALUES (?, ?, ?)
     ON CONFLICT (team_id, hour) DO UPDATE SET credits = credits + excluded.credits`,
  );
  const noteSuccess = connection.prepare('UPDATE teams SET last_success_at = ? WHERE id = ?');
  const addScrape = connection.prepare(
    `INSERT INTO scrapes (id, team_id, url, options, metadata, warning, result_id, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const findScrape = connection.prepare<ScrapeRow>(
    `SELECT url, options, metadata, warning, body_id AS bodyId, created_at AS createdAt, expires_at AS expiresAt
     FROM scrapes JOIN results ON results.id = result_id
     WHERE scrapes.id = ? AND team_id = ? AND expires_at > ?`,
  );
  const lastSuccess = connection.prepare<{ at: number | null }>('SELECT last_success_at AS at FROM teams WHERE id = ?');
  const removeExpired = connection.prepare(
    'DELETE FROM scrapes WHERE id IN (SELECT id FROM scrapes WHERE expires_at <= ? LIMIT ?)',
  );

  const keep = (record: ScrapeRecord) => {
    // A result that was deleted meanwhile cannot be read back; its scrape is counted all the same.
    if (!results.hold(record.resultId, record.expiresAt)) return;
    addScrape.run(
      record.id,
      record.teamId,
      record.url,
      JSON.stringify(record.options ?? null),
      JSON.stringify(record.metadata),
      record.warning ?? null,
      BigInt(record.resultId),
      record.createdAt,
      record.expiresAt,
    );
  };

  return {
    add({ teamId, credits, succeeded, now }, record) {
      connection.transaction(() => {
        if (credits > 0) addCredits.run(teamId, startOfHour(now), credits);
        if (succeeded || record) noteSuccess.run(now, teamId);
        if (record) keep(record);
      });
    },
    find(id, teamId, now) {
      const row = findScrape.get(id, teamId, now);
      const outcome = row && bodies.readJson<TransformOutcome>(row.bodyId);
      if (!outcome) return undefined;
      return {
        id,
        teamId,
        url: row.url,
        options: JSON.parse(row.options),
        metadata: JSON.parse(row.metadata),
        ...(row.warning !== null && { warning: row.warning }),
        createdAt: row.createdAt,
        expiresAt: row.expiresAt,
        outcome,
      };
    },
    lastSuccessAt: (teamId) => lastSuccess.get(teamId)?.at ?? null,
    removeExpired: (now, limit) => Number(removeExpired.run(now, limit).changes),
  };
}
