-- Requests are stored sealed: they may hold the headers, cookies and texts with which a caller signs in somewhere. Those of
-- earlier versions are plain JSON. seal(JSON, team) is a function of the store.
UPDATE scrapes SET options = seal(options, team_id) WHERE options GLOB '[{n]*';
UPDATE job_requests SET options = seal(options, (SELECT team_id FROM jobs WHERE number = job)) WHERE options GLOB '[{n]*';
UPDATE job_requests SET webhook = seal(webhook, (SELECT team_id FROM jobs WHERE number = job)) WHERE webhook IS NOT NULL;

-- The file is rewritten once, so that nothing is left of what earlier versions deleted.
INSERT OR REPLACE INTO notes (name, value) SELECT 'rewrite-file', 'due' FROM teams LIMIT 1;
