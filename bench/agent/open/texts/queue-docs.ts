// Documentation of a message queue in two versions that contradict each other: options in tables, commands in definition lists.
import { each } from '../../../understand/labelled-page.ts';
import { integer, listOf, object, taskTemplate, text } from '../../task.ts';

const HOST = 'docs.quillmq.test';
type Version = 'v3' | 'v2';
const OPTIONS: Record<Version, readonly (readonly [string, string, string, string])[]> = {
  v3: [
    ['listen', 'string', '0.0.0.0:7410', 'Address on which the broker accepts connections.'],
    ['max_in_flight', 'integer', '256', 'Messages a consumer may hold without acknowledging them.'],
    ['ack_timeout', 'duration', '45s', 'Time after which an unacknowledged message is delivered again.'],
    ['segment_bytes', 'integer', '67108864', 'Size at which a log segment is closed.'],
  ],
  v2: [
    ['listen', 'string', '0.0.0.0:7400', 'Address on which the broker accepts connections.'],
    ['max_in_flight', 'integer', '64', 'Messages a consumer may hold without acknowledging them.'],
    ['ack_timeout', 'duration', '30s', 'Time after which an unacknowledged message is delivered again.'],
  ],
};
const FLAGS = [
  ['--topic', 'NAME', 'Topic to export. May be repeated.'],
  ['--since', 'TIME', 'Skips messages older than this.'],
  ['--format', 'jsonl|csv', 'Format of the output file.'],
  ['--compress', 'LEVEL', 'Compresses the output with zstd.'],
] as const;

const layout = (version: Version, title: string, body: string) =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title} — QuillMQ ${version}</title></head><body class="docs"><header><a href="/">QuillMQ</a><div class="version-switch">Version: <a href="/v3/">v3 (current)</a> <a href="/v2/">v2</a></div><input type="search" placeholder="Search docs"></header><div class="cols"><nav class="sidebar"><p>Guide</p><ul><li><a href="/${version}/install">Installing</a></li><li><a href="/${version}/configuration">Configuration</a></li>${version === 'v3' ? '<li><a href="/v3/cli/export">quill export</a></li><li><a href="/v3/security">Security</a></li>' : ''}</ul></nav><main><article>${version === 'v2' ? '<div class="admonition warning"><p>You are reading the documentation of an old version.</p></div>' : ''}${body}</article><div class="feedback">Was this page helpful? <button>Yes</button> <button>No</button></div></main><aside class="toc"><p>On this page</p></aside></div><footer>Edit this page on our forge. Built with Inkwell 0.9.</footer></body></html>`;

const configuration = (version: Version) =>
  layout(
    version,
    'Configuration',
    `<h1>Configuration</h1><p>The broker reads <code>quillmq.toml</code> in its working folder. A change needs a restart.</p><h2 id="options">Options</h2><table><thead><tr><th>Option</th><th>Type</th><th>Default</th><th>Description</th></tr></thead><tbody>${each(OPTIONS[version], ([name, type, value, about]) => `<tr><td><code>${name}</code></td><td>${type}</td><td><code>${value}</code></td><td>${about}</td></tr>`)}</tbody></table><h2>Example</h2><pre><code>max_in_flight = 1000
ack_timeout = "2m"</code></pre>`,
  );

const optionOf = ([name, , value]: readonly [string, string, string, string]) => ({ option: name, default: value });

export const queueDocs = taskTemplate({
  name: 'queue-docs',
  sites: {
    [HOST]: {
      '/': layout(
        'v3',
        'Documentation',
        '<h1>QuillMQ</h1><p>A message queue that fits on one machine.</p><p><a href="/v3/">Documentation of version 3</a>, <a href="/v2/">of version 2</a></p>',
      ),
      '/v3/': layout(
        'v3',
        'Introduction',
        '<h1>Introduction</h1><p>QuillMQ stores messages in a log and delivers them at least once.</p><ul><li><a href="/v3/install">Installing</a></li><li><a href="/v3/configuration">Configuration</a></li></ul>',
      ),
      '/v2/': layout(
        'v2',
        'Introduction',
        '<h1>Introduction</h1><p>QuillMQ 2 reached its end of life in October 2025.</p>',
      ),
      '/v3/install': layout(
        'v3',
        'Installing',
        '<h1>Installing</h1><p>QuillMQ needs 64-bit Linux with kernel 5.10 or later and 512 MB of memory.</p><pre><code>curl -O http://get.quillmq.test/quill.tar.gz</code></pre>',
      ),
      '/v2/install': layout(
        'v2',
        'Installing',
        '<h1>Installing</h1><p>QuillMQ needs Linux with kernel 4.19 or later and 256 MB of memory.</p>',
      ),
      '/v3/configuration': configuration('v3'),
      '/v2/configuration': configuration('v2'),
      '/v3/cli/export': layout(
        'v3',
        'quill export',
        `<h1><code>quill export</code></h1><p>Writes the messages of a topic into a file.</p><h2>Flags</h2><dl>${each(FLAGS, ([name, value, about]) => `<dt><code>${name}</code> <var>${value}</var></dt><dd>${about}</dd>`)}</dl><h2>Exit codes</h2><p>0 on success, 3 if the topic does not exist.</p>`,
      ),
      '/v3/security': layout(
        'v3',
        'Security',
        '<h1>Security</h1><h2>TLS</h2><p>Set <code>tls_cert</code> and <code>tls_key</code> to serve encrypted connections.</p><h2>Rotating the signing key</h2><p>To rotate the signing key, run quill keys rotate on the leader and wait until every replica reports the new fingerprint. Tokens that were signed with the old key remain valid for 24 hours.</p><h2>Audit log</h2><p>Every administrative command is written to audit.log.</p>',
      ),
    },
  },
  tasks: [
    {
      name: 'docs-version',
      prompt:
        'In QuillMQ version 3, what are the defaults of max_in_flight and ack_timeout, and what was the default of max_in_flight in version 2?',
      urls: [`http://${HOST}/`],
      schema: object({
        maxInFlightV3: integer('default of max_in_flight in version 3'),
        ackTimeoutV3: text('default of ack_timeout in version 3'),
        maxInFlightV2: integer('default of max_in_flight in version 2'),
      }),
      expected: { maxInFlightV3: 256, ackTimeoutV3: '45s', maxInFlightV2: 64 },
      pages: [`${HOST}/v3/configuration`, `${HOST}/v2/configuration`],
    },
    {
      name: 'docs-options',
      prompt: 'List the configuration options of QuillMQ v3 with their defaults.',
      urls: [`http://${HOST}/v3/configuration`],
      strictConstrainToURLs: true,
      schema: object({ options: listOf({ option: text('name of the option'), default: text() }) }),
      expected: { options: OPTIONS.v3.map(optionOf) },
      pages: [`${HOST}/v3/configuration`],
    },
    {
      name: 'docs-question',
      prompt: 'How do I rotate the signing key in QuillMQ?',
      urls: [`http://${HOST}/v3/`],
      statements: [
        'run quill keys rotate on the leader and wait until every replica reports the new fingerprint',
        'Tokens that were signed with the old key remain valid for 24 hours',
      ],
      pages: [`${HOST}/v3/security`],
    },
  ],
});
