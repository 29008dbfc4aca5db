// A connection of its own for LISTEN and NOTIFY. It does not come back by itself: the caller opens another one.
import postgres from 'postgres';

export type ListeningSql = postgres.Sql;

interface ListenerEvents {
  onNotify(payload: string): void;
  onClose(): void;
}

const CONNECT_SECONDS = 5;

export function openListener(url: string, { onNotify, onClose }: ListenerEvents): ListeningSql {
  return postgres(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: CONNECT_SECONDS,
    fetch_types: false,
    connection: { application_name: 'trawl wake-ups' },
    onnotice: () => {},
    onclose: onClose,
    // Not in the driver's types, though its own `listen` is made from it.
    ...{ onnotify: (_channel: string, payload: string) => onNotify(payload) },
  });
}
