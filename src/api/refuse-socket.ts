// Closes the WebSocket of a client that was not admitted. It is told why, and may finish the closing handshake; whatever else
// it sends ends the connection.
import type { WebSocket } from 'ws';

const HANDSHAKE_MS = 2_000;

export function refuseSocket(socket: WebSocket, code: number, reason: string): void {
  const cut = () => socket.terminate();
  socket.close(code, reason);
  for (const event of ['message', 'ping', 'pong', 'error']) socket.once(event, cut);
  const late = setTimeout(cut, HANDSHAKE_MS);
  late.unref();
  socket.once('close', () => clearTimeout(late));
}
