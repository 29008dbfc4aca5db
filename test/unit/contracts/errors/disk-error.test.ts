import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createErrorReader } from '../../../../src/api/errors.ts';
import { asDiskError } from '../../../../src/contracts/errors/disk-error.ts';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { Log } from '../../../../src/runtime/log.ts';
import { systemClock } from '../../../../src/util/clock.ts';

const systemError = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

test('a full disk is told as such, to the caller and in the log', () => {
  const lines: string[] = [];
  const log = { error: (_fields: object, text: string) => void lines.push(text) } as unknown as Log;
  const read = createErrorReader(log, systemClock);
  const failure = read(systemError('ENOSPC', 'write'));
  assert.equal(failure.code, 'STORAGE_UNAVAILABLE');
  assert.match(failure.message, /because the disk is full/);
  assert.deepEqual(lines, [failure.message]);
  assert.equal(read(new Error('a bug')).code, 'UNKNOWN_ERROR');
  assert.equal(lines[1], 'unexpected error');
});

test('errors that say nothing about the disk stay as they are', () => {
  const errors = [
    new Error('a bug'),
    systemError('EACCES', 'spawn tesseract'),
    systemError('EACCES', 'listen'),
    systemError('ENOENT', 'open'),
    new ServiceError('BAD_REQUEST'),
  ];
  for (const error of errors) assert.equal(asDiskError(error), error);
});
