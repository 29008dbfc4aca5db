// The same call as code, ready to paste. The key is never part of it.
import { useState } from 'preact/hooks';
import { addressOf } from '../../api/call.ts';
import { me } from '../../session/session.ts';
import { Tabs } from '../../ui/controls/tabs.tsx';
import { useLoad } from '../../ui/states/use-load.ts';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { OPERATION_INFO } from '../operations/operations.ts';
import type { Body } from '../run/recent.ts';
import type { Operation } from '../run/run.ts';
import { cliSnippet } from './cli.ts';
import { curlSnippet } from './curl.ts';
import { javascriptSnippet } from './javascript.ts';
import { loadCommand, loadTool } from './load-client-data.ts';
import { mcpConfig, mcpSnippet } from './mcp.ts';
import { pythonSnippet } from './python.ts';
import type { Snippet, SnippetRequest } from './snippet.ts';

const CLIENTS = [
  { id: 'curl', label: 'curl' },
  { id: 'javascript', label: 'JavaScript' },
  { id: 'python', label: 'Python' },
  { id: 'cli', label: 'CLI' },
  { id: 'mcp', label: 'MCP' },
] as const;
type Client = (typeof CLIENTS)[number]['id'];

const NOTES: Readonly<Record<Client, string>> = {
  curl: 'Set TRAWL_API_KEY to one of your keys. You can make one in Settings.',
  javascript: 'npm install firecrawl',
  python: 'pip install firecrawl-py',
  cli: 'The command reads the key from TRAWL_API_KEY.',
  mcp: 'The tool call, and below it the entry that connects an assistant to this server.',
};

interface Props {
  operation: Operation;
  body: Body;
  fileName: string | undefined;
}

export function Snippets({ operation, body, fileName }: Props) {
  const [client, setClient] = useState<Client>('curl');
  const { call, main, isOwn } = OPERATION_INFO[operation];
  const clients = CLIENTS.filter(({ id }) => !isOwn || (id !== 'javascript' && id !== 'python'));
  const shown = clients.some(({ id }) => id === client) ? client : 'curl';
  const request: SnippetRequest = {
    ...{ operation, main, fileName },
    body: withExample(operation, body),
    path: addressOf(call),
    baseUrl: location.origin,
    isOpen: me.value?.authentication === 'off',
  };
  return (
    <section class="card stack snippets" aria-label="The same call as code">
      <h2>The same call as code</h2>
      <Tabs label="Client" tabs={clients} current={shown} onSelect={setClient}>
        <ClientCode key={`${operation} ${shown}`} client={shown} request={request} />
      </Tabs>
    </section>
  );
}

/** While the form is empty, the call has the example of its main field, so that it works when it is pasted. */
function withExample(operation: Operation, body: Body): Body {
  const { main, placeholder } = OPERATION_INFO[operation];
  if (main === undefined || body[main] !== undefined || (main === 'urls' && body.prompt !== undefined)) return body;
  return { [main]: main === 'urls' ? [placeholder] : placeholder, ...body };
}

const WRITERS: Partial<Record<Client, (request: SnippetRequest) => Snippet>> = {
  curl: curlSnippet,
  javascript: javascriptSnippet,
  python: pythonSnippet,
};

function ClientCode({ client, request }: { client: Client; request: SnippetRequest }) {
  const { operation, baseUrl, isOpen } = request;
  const { data: command } = useLoad(() => loadCommand(operation), [operation]);
  const { data: tool, isLoading } = useLoad(() => loadTool(operation), [operation]);
  if (client === 'mcp' && !tool && !isLoading) {
    return (
      <p class="soft">
        The MCP server opens browsers by itself: its tool firecrawl_interact takes an address and a prompt or code.
      </p>
    );
  }
  const snippet =
    WRITERS[client]?.(request) ??
    (client === 'cli' ? command && cliSnippet(request, command) : tool && mcpSnippet(request, tool));
  return (
    <>
      <CodeBlock label={CLIENTS.find(({ id }) => id === client)!.label} text={snippet?.text ?? ''} />
      {snippet && snippet.missing.length > 0 && (
        <p class="notice notice-warn">
          This client has no argument for {snippet.missing.join(', ')}. Use curl to send it.
        </p>
      )}
      {client === 'mcp' && <CodeBlock label="Settings of the assistant" text={mcpConfig(baseUrl, isOpen)} />}
      <p class="field-help">
        {isOpen && (client === 'curl' || client === 'cli')
          ? 'Authentication is off, so no key is needed.'
          : NOTES[client]}
      </p>
    </>
  );
}
