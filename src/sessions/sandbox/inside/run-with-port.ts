// Runs inside the sandbox: starts a program and relays a local WebSocket port to the session's browser, for clients
// that cannot speak the Chrome DevTools Protocol otherwise. The port is not visible outside of the sandbox.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { constants } from 'node:os';
import { type WebSocket, WebSocketServer } from 'ws';

const SOCKET = '/trawl/cdp';
const PORT = 9222;
const URL = `ws://127.0.0.1:${PORT}/devtools/browser`;
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

function relay(client: WebSocket): void {
  const browser = connect(SOCKET);
  let rest = '';
  browser.setEncoding('utf8');
  browser.on('error', () => browser.destroy()).on('close', () => client.close());
  client.on('error', () => client.terminate()).on('close', () => browser.destroy());
  client.on('message', (data) => browser.write(`${data}\0`));
  browser.on('data', (text: string) => {
    const [first = '', ...more] = text.split('\0');
    rest += first;
    for (const part of more) {
      client.send(rest);
      rest = part;
    }
  });
}

// Tells clients the WebSocket address, as Chromium's own /json/version would.
const server = createServer((_request, response) => {
  const about = { Browser: 'Chrome', 'Protocol-Version': '1.3', webSocketDebuggerUrl: URL };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(about));
});
new WebSocketServer({ server, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false }).on('connection', relay);

server.listen(PORT, '127.0.0.1', () => {
  const [command = 'true', ...rest] = process.argv.slice(2);
  const child = spawn(command, rest, { stdio: [0, 1, 2, 3] });
  child.on('error', () => process.exit(127));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal!] ?? 0)));
});
