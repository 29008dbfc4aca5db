// What a newcomer sees: the first start prints a command that works as it stands, without a network, and tells what the machine
// lacks.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { printedCommands, runPrinted } from '../support/first-start.ts';
import { until } from '../support/jobs.ts';
import { type RunningProgram, startService } from '../support/service.ts';

let service: RunningProgram;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-no-bwrap-'));
  await writeFile(join(folder, 'bwrap'), '#!/bin/sh\necho "No permissions to create namespaces" >&2\nexit 1\n');
  await chmod(join(folder, 'bwrap'), 0o755);
  service = await startService({ PATH: `${folder}:${process.env.PATH}` });
});
after(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a printed command reads a page of the manual without a network', async () => {
  const commands = printedCommands(service);
  assert.equal(commands.length, 2);
  const page = await runPrinted(commands[0]!);
  assert.equal(page.data.metadata.url, `${service.url}/docs/use/start.md`);
  assert.match(page.data.markdown, /^# /);
});

test('a machine that cannot confine parsers and code is told so at the start, with the reason', async () => {
  const said =
    /Files are parsed with limits, but not cut off .* cannot start here: No permissions to create namespaces/;
  await until(async () => said.test(service.output().stdout + service.output().stderr), Boolean);
});
