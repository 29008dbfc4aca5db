// Uploads by the public SDK and the public command line as their users call them, and forms as the MCP server writes them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Firecrawl as Newest } from 'firecrawl';
import { Firecrawl as Older } from 'firecrawl-4-24';
import { makePdf } from '../support/pdf.ts';
import type { RunningService } from '../support/service.ts';
import { joinService, startSharedWeb } from '../support/shared-service.ts';
import type { Web } from '../support/web.ts';

const PROGRAM = join(import.meta.dirname, '../../node_modules/firecrawl-cli/dist/index.js');
const LONGEST_MS = 60_000;
const PAGE =
  '<html><title>A page</title><h1>Heading</h1><p>Words and <a href="https://a.example/">a link</a>.</p></html>';
const REPORT = Buffer.from(
  makePdf([{ heading: 'Report', lines: ['It speaks of the quagga and of nothing else.'] }], 'The Report'),
);

let web: Web;
let service: RunningService;
const folder = mkdtempSync(join(tmpdir(), 'trawl-parse-cli-'));
before(async () => {
  web = await startSharedWeb();
  service = await joinService(web, {});
});
after(async () => {
  await web?.stop();
  rmSync(folder, { recursive: true, force: true });
});

for (const [version, Client] of [
  ['4.42.0', Newest],
  ['4.24.0', Older as unknown as typeof Newest],
] as const) {
  describe(`firecrawl ${version}`, () => {
    const client = () => new Client({ apiKey: service.key, apiUrl: service.url });

    test('parses a page with formats', async () => {
      const file = { data: PAGE, filename: 'a page.html', contentType: 'text/html' };
      const document = await client().parse(file, { formats: ['markdown', 'links'], timeout: 20_000 });
      assert.match(document.markdown!, /^# Heading\n\nWords and \[a link\]/);
      assert.deepEqual(document.links, ['https://a.example/']);
      assert.equal(document.metadata?.statusCode, 200);
      assert.equal((document.metadata as Record<string, unknown>).sourceFile, 'a page.html');
    });

    test('parses a PDF from bytes, without a declared type', async () => {
      const document = await client().parse({ data: REPORT, filename: 'report.pdf' });
      assert.match(document.markdown!, /quagga/);
      assert.equal(document.metadata?.numPages, 1);
    });

    test('throws the error text of the service', async () => {
      const program = { data: Buffer.from('\x7fELF\x02\x01\x01\0\0\0', 'latin1'), filename: 'program.bin' };
      await assert.rejects(client().parse(program), /type application\/x-executable are not supported/);
      await assert.rejects(
        client().parse({ data: 'x', filename: 'x.txt' }, { formats: ['branding' as 'markdown'] }),
        /branding/,
      );
    });
  });
}

describe('firecrawl-cli 1.23.3', () => {
  const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const { PATH, TMPDIR } = process.env;
      const env = {
        PATH,
        TMPDIR,
        HOME: folder,
        FIRECRAWL_API_URL: service.url,
        FIRECRAWL_API_KEY: service.key,
        FIRECRAWL_NO_TELEMETRY: '1',
        FIRECRAWL_NO_UPDATE_CHECK: '1',
      };
      const options = { env, cwd: folder, timeout: LONGEST_MS };
      const child = execFile(process.execPath, [PROGRAM, ...args], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });

  test('parse prints the Markdown of a file', async () => {
    writeFileSync(join(folder, 'page.html'), PAGE);
    const { code, stdout, stderr } = await run('parse', 'page.html');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /# Heading\n\nWords and \[a link\]/);
  });

  test('parse prints several formats of a PDF as JSON', async () => {
    writeFileSync(join(folder, 'report.pdf'), REPORT);
    const { code, stdout, stderr } = await run(
      'parse',
      'report.pdf',
      '--format',
      'markdown,html',
      '--timeout',
      '30000',
    );
    assert.equal(code, 0, stderr);
    const { markdown, html } = JSON.parse(stdout) as Record<string, string>;
    assert.match(markdown!, /quagga/);
    assert.match(html!, /<p>.*quagga/);
  });

  test('parse reports the error of the service', async () => {
    writeFileSync(join(folder, 'program.pdf'), Buffer.from('\x7fELF\x02\x01\x01\0\0\0', 'latin1'));
    const { code, stderr } = await run('parse', 'program.pdf');
    assert.equal(code, 1);
    assert.match(stderr, /not supported/);
  });
});

test('a form as the MCP server writes it is accepted: the file first, then the options as a string', async () => {
  const form = new FormData();
  form.append('file', new Blob([PAGE], { type: 'text/html' }), 'page.html');
  form.append('options', JSON.stringify({ formats: ['markdown'], onlyMainContent: true, origin: 'mcp-fastmcp' }));
  const response = await service.fetch('/v2/parse', { method: 'POST', body: form });
  const { data } = (await response.json()) as { data: { markdown: string } };
  assert.match(data.markdown, /^# Heading/);
});
