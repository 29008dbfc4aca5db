// Transactions with tasks after a commit or a rollback.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createConnection } from '../../../src/runtime/sqlite/sqlite.ts';
import { noise } from '../../conformance/samples.ts';

const open = () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE things (thing)');
  return { database, connection: createConnection(database) };
};

test('afterCommit tasks run after a commit, afterRollback tasks do not', () => {
  const { connection } = open();
  const count = connection.prepare<{ n: number }>('SELECT count(*) AS n FROM things');
  const done: string[] = [];
  const value = connection.transaction(() => {
    connection.prepare("INSERT INTO things VALUES ('a')").run();
    connection.afterCommit(() => done.push(`committed ${count.get()!.n}`));
    connection.afterRollback(() => done.push('rolled back'));
    return 'value';
  });
  assert.equal(value, 'value');
  assert.deepEqual(done, ['committed 1']);
});

test('an error undoes the rows and runs the afterRollback tasks once', () => {
  const { connection } = open();
  const done: string[] = [];
  const failing = () =>
    connection.transaction(() => {
      connection.prepare("INSERT INTO things VALUES ('a')").run();
      connection.afterCommit(() => done.push('committed'));
      connection.afterRollback(() => done.push('rolled back'));
      throw new Error('no');
    });
  assert.throws(failing, { message: 'no' });
  connection.transaction(() => undefined);
  assert.deepEqual(done, ['rolled back']);
  assert.deepEqual(connection.prepare('SELECT * FROM things').all(), []);
});

test('a full disk fails the call and the next one works', () => {
  const { database, connection } = open();
  const add = connection.prepare('INSERT INTO things VALUES (?)');
  let undone = 0;
  database.exec('PRAGMA max_page_count = 20');
  const addLarge = () =>
    connection.transaction(() => {
      connection.afterRollback(() => {
        undone += 1;
      });
      add.run(noise(200_000));
    });
  assert.throws(addLarge, { message: 'database or disk is full' });
  assert.equal(undone, 1);
  connection.transaction(() => add.run('small'));
  assert.equal(connection.prepare('SELECT * FROM things').all().length, 1);
});

test('memory can be released when the file is closed already, as in a thread that is about to end', () => {
  const { connection } = open();
  connection.close();
  assert.doesNotThrow(() => connection.releaseMemory());
});
