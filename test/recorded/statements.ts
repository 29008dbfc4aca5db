// Sees the SQL statements of this thread at node:sqlite itself, below every layer of ours.
import { DatabaseSync, StatementSync } from 'node:sqlite';
import type { TestContext } from 'node:test';

const RUNS = ['run', 'get', 'all', 'iterate'] as const;

/** From now on until the end of the test. Statements that were prepared before are not known. */
export function watchStatements(t: TestContext): (work: () => Promise<unknown>) => Promise<string[]> {
  const texts = new WeakMap<StatementSync, string>();
  let seen: string[] | undefined;
  const { prepare, exec } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, ...args: Parameters<typeof prepare>) {
    const statement = prepare.apply(this, args);
    texts.set(statement, args[0]);
    return statement;
  });
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    seen?.push(
      ...sql
        .split(';')
        .filter((part) => part.trim() !== '')
        .map(summaryOf),
    );
    return exec.call(this, sql);
  });
  for (const name of RUNS) {
    const run = StatementSync.prototype[name] as (...values: unknown[]) => unknown;
    t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: unknown[]) {
      seen?.push(summaryOf(texts.get(this) ?? '(unknown)'));
      return run.apply(this, values);
    });
  }
  return async (work) => {
    seen = [];
    await work();
    const statements = seen;
    seen = undefined;
    return statements;
  };
}

const WRITES = /\b(INSERT|REPLACE)\b.*?\bINTO\s+(\w+)|\b(UPDATE)\s+(?:OR\s+\w+\s+)?(\w+)|\b(DELETE)\s+FROM\s+(\w+)/i;

/** Verb and table: `INSERT tasks`. Of a SELECT the first table, of anything else its words. */
export function summaryOf(sql: string): string {
  const text = sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .trim();
  const named = new Set(
    [...text.matchAll(/(\w+)\s*(?:\([^()]*\)\s*)?AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/gi)].map(([, name]) => name),
  );
  // What an upsert does in a conflict is not a statement of its own.
  const written = WRITES.exec(text);
  if (written) {
    const [verb, table] = written.slice(1).filter((part) => part !== undefined);
    return `${verb!.toUpperCase()} ${table}`;
  }
  if (!/^(?:WITH|SELECT)\b/i.test(text)) return text.toUpperCase();
  const read = [...text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/gi)].map(([, table]) => table!);
  return `SELECT ${read.find((table) => !named.has(table)) ?? '(nothing)'}`;
}

/** With a count for those that follow each other, and how many there are in all. */
export function sequenceOf(statements: readonly string[]): string[] {
  const lines: { text: string; count: number }[] = [];
  for (const text of statements) {
    const last = lines.at(-1);
    if (last?.text === text) last.count += 1;
    else lines.push({ text, count: 1 });
  }
  const listed = lines.map(({ text, count }) => (count === 1 ? text : `${text} (${count} times)`));
  return [...listed, `= ${statements.length} statements`];
}
