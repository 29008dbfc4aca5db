// An extractor in its own process, as a module of Node or as a program that reads and writes lines.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startModule, startProgram } from '../../../../bench/extract/extractor-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'trawl-bench-'));
after(() => rmSync(folder, { recursive: true }));

function extractor(code: string) {
  const file = join(folder, 'extractor.mjs');
  writeFileSync(file, `export async function toMarkdown(html, url) { ${code} }`);
  return startModule(file);
}

test('a page is returned as Markdown with the CPU time it took', async () => {
  const { ask, peakMb, stop } = await extractor(
    'const end = performance.now() + 50; while (performance.now() < end); return html + url;',
  );
  try {
    const answer = await ask('a', 'b');
    assert.equal(answer.markdown, 'ab');
    assert.equal(answer.error, undefined);
    assert.ok(answer.cpuMs > 0);
    assert.ok(peakMb() > 0);
  } finally {
    await stop();
  }
});

test('a failure is reported, and the next page is still processed', async () => {
  const { ask, stop } = await extractor('if (!html) throw new TypeError("no page"); return "fine";');
  try {
    assert.equal((await ask('', '')).error, 'TypeError: no page');
    assert.equal((await ask('a', '')).markdown, 'fine');
  } finally {
    await stop();
  }
});

test('the bench does not wait for a process that has exited', async () => {
  const { ask, stop } = await extractor('process.exit(1);');
  await assert.rejects(ask('', ''), /ended before it answered/);
  await stop();
});

function program(code: string) {
  const file = join(folder, 'program.mjs');
  const head = 'import { createInterface } from "node:readline"; import { readFileSync } from "node:fs";';
  const loop =
    'for await (const line of createInterface({ input: process.stdin })) { const { file, url } = JSON.parse(line);';
  writeFileSync(file, `${head} console.log('"ready"'); ${loop} ${code} }`);
  return startProgram(process.execPath, [file]);
}

test('a program in another language answers line by line', async () => {
  const { ask, peakMb, stop } = await program(
    'console.log(JSON.stringify({ markdown: readFileSync(file, "utf8") + url, cpuMs: 1 }));',
  );
  try {
    // JSON may contain the line separators of Unicode unescaped.
    assert.deepEqual(await ask('two\nlines\u2028or\u2029more ', 'b'), {
      markdown: 'two\nlines\u2028or\u2029more b',
      cpuMs: 1,
    });
    assert.equal((await ask('c', 'd')).markdown, 'cd');
    assert.ok(peakMb() > 0);
  } finally {
    await stop();
  }
});

test('the bench does not wait for a program that has exited or cannot be started', async () => {
  const { ask, stop } = await program('process.exit(1);');
  await assert.rejects(ask('', ''), /ended before it answered/);
  await stop();
  await assert.rejects(startProgram(join(folder, 'missing')), /ended before it answered/);
});
