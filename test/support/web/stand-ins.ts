// Pages served instead of the requested one: errors, soft errors, login walls, challenges, empty shells, parked domains.
import { type Handler, page, reply, type Site } from './reply.ts';
import { createDice, paragraph } from './words.ts';

const text = (seed: number) => `<p>${paragraph(createDice(seed))}</p>`;

const errorPage = (status: number, title: string, words: string): Handler =>
  reply(page(title, `<p>${words}</p><p><a href="/">Back to the front page</a></p>`), { status });

const errorSite: Site = {
  '/400': errorPage(400, 'Bad request', 'The address is not understood.'),
  '/401': reply(page('Sign in', '<p>This page asks for a password.</p>'), {
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="harbour"' },
  }),
  '/403': errorPage(403, 'Forbidden', 'Members only.'),
  '/404': errorPage(404, 'Page not found', 'The page you are looking for has sailed.'),
  '/410': errorPage(410, 'Gone', 'This page has been removed for good.'),
  '/418': errorPage(418, 'Teapot', 'Short and stout.'),
  '/500': errorPage(500, 'Server error', 'Something broke on our side.'),
  '/502': errorPage(502, 'Bad gateway', 'The server behind this one is silent.'),
  '/503': errorPage(503, 'Down for repairs', 'We are back at noon.'),
  '/404-empty': reply('', { status: 404 }),
  '/404-article': reply(page('Lost page', text(1) + text(2) + text(3)), { status: 404 }),
  '/999': errorPage(999, 'Odd', 'A status that nobody has defined.'),
  '/soft-404': errorPage(200, 'Page not found', 'Sorry, the page you requested could not be found (error 404).'),
  '/soft-404-german': errorPage(200, 'Seite nicht gefunden', 'Die gewünschte Seite wurde leider nicht gefunden.'),
};

const loginForm =
  '<form action="/session" method="post"><label>E-mail <input type="email" name="email"></label>' +
  '<label>Password <input type="password" name="password"></label><button>Log in</button></form>';

const loginSite: Site = {
  '/account': reply(
    page(
      'Log in to continue',
      `<p>You must be logged in to see this page.</p>${loginForm}<p><a href="/reset">Forgot your password?</a></p>`,
    ),
  ),
  '/account/403': reply(page('Please sign in', `<p>Sign in to read this.</p>${loginForm}`), { status: 403 }),
  // The same form next to a real text is not a login wall.
  '/article': reply(page('A free article', `<header>${loginForm}</header>${text(4)}${text(5)}${text(6)}${text(7)}`)),
};

const vendorChallenge =
  '<!doctype html><html><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head><body>' +
  '<div id="challenge-running"><h2>Checking if the site connection is secure</h2></div><noscript>Enable JavaScript and cookies to continue</noscript>' +
  '<script>window._cf_chl_opt={cvId:"3",cType:"managed"};</script><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>';
const plainChallenge = page(
  'Verify you are human',
  '<p>We have detected unusual traffic from your network. Please complete the check below to continue.</p>' +
    '<div id="captcha"></div><button>I am not a robot</button>',
);

const challengeSite: Site = Object.fromEntries(
  [200, 403, 503].flatMap((status) => [
    [
      `/vendor/${status}`,
      reply(vendorChallenge, { status, headers: { server: 'cloudflare', 'cf-mitigated': 'challenge' } }),
    ],
    [`/unmarked/${status}`, reply(plainChallenge, { status })],
  ]),
);

const shellSite: Site = {
  '/app': reply(
    '<!doctype html><html><head><title>App</title><script type="module" src="/assets/index.js"></script></head><body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript></body></html>',
  ),
  '/spinner': reply(
    '<!doctype html><html><head><title>Loading</title></head><body><div id="app"><div class="spinner">Loading...</div></div><script src="/bundle.js"></script></body></html>',
  ),
  '/rendered': reply(
    page(
      'Rendered on the server',
      `<div id="root">${text(8)}${text(9)}${text(10)}</div><script src="/bundle.js"></script>`,
    ),
  ),
};

const parked = page(
  'parked.test is for sale',
  '<p>The domain parked.test may be for sale. Inquire now.</p><div>Related searches</div>' +
    ['Cheap flights', 'Car insurance', 'Online degrees']
      .map((words) => `<a href="/search?q=${words}">${words}</a>`)
      .join(' ') +
    '<p>This page is provided courtesy of the registrar. Buy this domain.</p>',
);

export const standIns: Record<string, Site> = {
  'error.test': errorSite,
  'login.test': loginSite,
  'challenge.test': challengeSite,
  'shell.test': shellSite,
  'parked.test': { '/': reply(parked) },
};
