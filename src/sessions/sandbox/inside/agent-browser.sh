#!/bin/sh
# Inside the sandbox, `agent-browser` controls the browser of the session.
if [ ! -x /trawl/agent-browser ]; then
  echo 'agent-browser is not installed on this server. Its operator can add it: npm install --no-save agent-browser' >&2
  exit 127
fi
exec /trawl/agent-browser --cdp ws://127.0.0.1:9222/devtools/browser "$@"
