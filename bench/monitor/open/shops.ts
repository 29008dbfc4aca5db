// Watched pages of shops and services: prices and stock matter; counters, recommendations and tokens do not.
import { pairsOf, webPage } from '../page-pair.ts';

const drill = webPage({
  title: 'Cordless drill KD-18 | Werkhaus',
  header:
    '<a href="/">Werkhaus</a><nav><a href="/tools">Tools</a><a href="/garden">Garden</a><a href="/cart?sid=9f31c2">Cart</a></nav>',
  main: `<h1>Cordless drill KD-18</h1><p class="price">$129.00</p><p class="stock">In stock, ships within 24 hours</p><p class="social">12 people are watching this right now</p><p>4.6 out of 5 stars (1,204 reviews)</p>
<p>The KD-18 drills wood, metal and masonry with 55 Nm of torque. It comes with two batteries of 2.0 Ah, a charger and a case, and weighs 1.4 kg.</p>
<h2>What customers say</h2><blockquote>Drilled through my garage wall like butter. Nadia R.</blockquote>
<h2>You may also like</h2><ul><li><a href="/p/881?ref=rec-1&amp;sid=9f31c2">Bit set, 40 pieces</a> $19.90</li><li><a href="/p/412?ref=rec-2&amp;sid=9f31c2">Work light</a> $34.50</li></ul>
<form action="/cart"><input type="hidden" name="csrf" value="a81be0c9d2"><button>Add to cart</button></form><img src="/img/kd18.jpg?v=17381" alt="KD-18">`,
  footer: '© 2025 Werkhaus. Page generated in 0.31 s. Request ID 7f3a-11c9.',
});

const hosting = webPage({
  title: 'Plans | Stratohost',
  header: '<a href="/">Stratohost</a> Trusted by 41,207 teams',
  main: `<h1>Plans and prices</h1><p>Trusted by 41,207 teams in 90 countries.</p><table><tr><th>Plan</th><th>Price a month</th><th>Storage</th><th>Requests an hour</th></tr><tr><td>Starter</td><td>$9</td><td>10 GB</td><td>1,000</td></tr><tr><td>Team</td><td>$39</td><td>100 GB</td><td>10,000</td></tr><tr><td>Business</td><td>$149</td><td>1 TB</td><td>100,000</td></tr></table>
<h2>Questions</h2><p>You may cancel at any time. We refund unused months within 30 days.</p><p>Support answers within one working day on the plan Team.</p><h2>Loved by builders</h2><p>"We moved in an afternoon." Priya Nair, Lumen Labs</p>`,
  footer: '© 2026 Stratohost Inc.',
});

const used = webPage({
  title: 'Gebrauchte Räder | Radlbörse',
  lang: 'de',
  header: '<a href="/">Radlbörse</a>',
  main: `<h1>Gebrauchte Räder in Augsburg</h1><p>Stand: 02.02.2026, 14:05 Uhr · 318 Besucher heute</p><ul><li><a href="/rad/1">Trekkingrad Hamsa 28", 420 €</a> (52 Aufrufe)</li><li><a href="/rad/2">Rennrad Colibri, 890 €</a> (131 Aufrufe)</li><li><a href="/rad/3">Kinderrad Flitz 20", 95 €</a> (17 Aufrufe)</li></ul><p>Verkauf nur an Selbstabholer. Probefahrt nach Absprache.</p>`,
  footer: 'Impressum · Datenschutz',
});

export const shopPairs = [
  ...pairsOf({
    page: 'drill',
    html: drill,
    noise: {
      'people watching and number of reviews': [
        ['12 people are watching', '31 people are watching'],
        ['(1,204 reviews)', '(1,211 reviews)'],
      ],
      'session, token and cache numbers': [
        ['9f31c2', 'c07d5b'],
        ['a81be0c9d2', '09bb71fe3a'],
        ['?v=17381', '?v=17402'],
        ['7f3a-11c9', '22b0-9e14'],
        ['0.31 s', '0.28 s'],
      ],
      'recommended items': [
        ['Bit set, 40 pieces</a> $19.90', 'Sawhorse, pair</a> $44.00'],
        ['Work light</a> $34.50', 'Safety goggles</a> $12.90'],
      ],
      'another testimonial': [
        ['Drilled through my garage wall like butter. Nadia R.', 'My dad borrowed it and never gave it back. Tom W.'],
      ],
    },
    real: {
      price: [
        ['$129.00', '$109.00'],
        ['12 people are watching', '9 people are watching'],
      ],
      'out of stock': [
        ['In stock, ships within 24 hours', 'Currently out of stock'],
        ['9f31c2', '77a1d0'],
      ],
      'a fact in the description': [['two batteries of 2.0 Ah', 'one battery of 2.0 Ah']],
    },
  }),
  ...pairsOf({
    page: 'hosting',
    html: hosting,
    noise: {
      'number of customers': [['41,207', '41,355']],
      'rotating quote': [
        [
          '"We moved in an afternoon." Priya Nair, Lumen Labs',
          '"The bill is lower and nobody noticed the move." Sven Aho, Kivi Oy',
        ],
      ],
    },
    real: {
      'price of one plan': [['$39', '$45']],
      limit: [['<td>10,000</td>', '<td>8,000</td>']],
      'refund period': [
        ['within 30 days', 'within 14 days'],
        ['41,207', '41,355'],
      ],
    },
  }),
  ...pairsOf({
    page: 'used bikes',
    html: used,
    noise: {
      'time, visitors and views': [
        ['02.02.2026, 14:05 Uhr · 318', '03.02.2026, 09:41 Uhr · 77'],
        ['(52 Aufrufe)', '(60 Aufrufe)'],
        ['(131 Aufrufe)', '(149 Aufrufe)'],
        ['(17 Aufrufe)', '(18 Aufrufe)'],
      ],
    },
    real: {
      'new advertisement': [
        ['<ul><li>', '<ul><li><a href="/rad/4">Lastenrad Packesel, 1.750 €</a> (3 Aufrufe)</li><li>'],
        ['14:05 Uhr · 318', '18:30 Uhr · 402'],
      ],
    },
  }),
];
