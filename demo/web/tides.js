// Builds the tide board in the visitor's browser: without JavaScript there is nothing to read on this page.
const SVG = 'http://www.w3.org/2000/svg';

const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const cells = (kind, texts) => texts.map((text) => element(kind, {}, text));

function drawCurve(levels) {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('viewBox', '0 0 960 230');
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', 'Height of the water over the day');
  const points = levels.map((level, hour) => `${(hour / (levels.length - 1)) * 960},${200 - level * 30}`);
  const lines = [1, 2, 3, 4, 5].map(
    (metres) =>
      `<path d="M0 ${200 - metres * 30}H960" stroke="#d8e0e3"/><text x="926" y="${195 - metres * 30}" font-size="13" fill="#5b6b72">${metres} m</text>`,
  );
  picture.innerHTML = `<polygon points="0,230 ${points.join(' ')} 960,230" fill="#b9d7e3"/>${lines.join('')}<polyline points="${points.join(' ')}" fill="none" stroke="#0f5e78" stroke-width="4"/>`;
  return picture;
}

const response = await fetch('/api/tides.json');
const { harbour, day, waters, levels } = await response.json();
const rows = waters.map(({ kind, time, metres }) =>
  element('tr', {}, ...cells('td', [kind, time, `${metres.toFixed(1)} m`])),
);
document
  .getElementById('app')
  .replaceChildren(
    element(
      'header',
      { class: 'site-header' },
      element('a', { class: 'name', href: '/' }, 'Saltmarsh Chandlery'),
      element('a', { href: '/shop/' }, 'Shop'),
      element('a', { href: '/docs/' }, 'Tidebook'),
      element('a', { href: '/journal/' }, 'Journal'),
      element('a', { href: '/tides/' }, 'Tides'),
    ),
    element(
      'main',
      {},
      element('h1', {}, `Tides at ${harbour}`),
      element('p', { class: 'lead' }, `High and low water on ${day}, reckoned by Tidebook in your browser.`),
      element(
        'section',
        { class: 'board' },
        element(
          'table',
          {},
          element('thead', {}, element('tr', {}, ...cells('th', ['Water', 'Time', 'Height']))),
          element('tbody', {}, ...rows),
        ),
        drawCurve(levels),
      ),
      element('p', {}, 'Heights are above chart datum. Times are local. Do not navigate by a web page.'),
    ),
  );
