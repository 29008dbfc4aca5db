// Watched pages of shops, rentals and timetables.
import { pairsOf, webPage } from '../page-pair.ts';

const hotel = webPage({
  title: 'Hôtel du Lavoir, Annecy',
  lang: 'fr',
  header: '<a href="/">Hôtel du Lavoir</a>',
  main: `<h1>Chambres et tarifs</h1><p>Consulté 28 fois aujourd'hui. Dernière réservation il y a 17 minutes.</p><dl><dt>Chambre simple</dt><dd>84 € la nuit</dd><dt>Chambre double</dt><dd>112 € la nuit</dd><dt>Suite</dt><dd>190 € la nuit</dd></dl><p>Le petit déjeuner est compris. Les animaux sont acceptés moyennant 10 € par nuit. L'annulation est gratuite jusqu'à 48 heures avant l'arrivée.</p><h2>Ils ont aimé</h2><p>« Un accueil adorable. » Hélène, Dijon</p>`,
  footer: '© 2025 Hôtel du Lavoir',
});

const ferry = webPage({
  title: 'Timetable | Skerry Ferries',
  main: `<h1>Winter timetable</h1><p>Valid from 5 January to 29 March 2026.</p><table><tr><th>From Kylemore</th><th>From Skerry</th></tr><tr><td>07:15</td><td>08:30</td></tr><tr><td>11:40</td><td>12:55</td></tr><tr><td>16:20</td><td>17:35</td></tr></table><p>Adults £8.60, children £4.30, cars £22.50. Dogs travel free.</p><p>It is 09:12 in Kylemore. Wind 14 knots, gusts of 22.</p><p>Next departure in 2 h 28 min</p>`,
  aside: '<p>Live: 3 ferries under way. 87 people are on this page.</p>',
  footer: 'Skerry Ferries Ltd. Booking reference of this session: SK-77120-QX',
});

const auction = webPage({
  title: 'Lot 214: longcase clock',
  header: '<a href="/">Thornley & Vance Auctions</a>',
  main: `<h1>Lot 214: longcase clock by J. Harrow</h1><p>Estimate: £800 to £1,200</p><p>Sale: Thursday 19 March 2026, 10 am</p><p>212 views · 19 watchers</p><p>Condition: the case is sound, one hinge is replaced, the movement runs.</p><h2>Lots you may have missed</h2><ul><li><a href="/lot/90?imp=aa19">Pair of brass candlesticks</a></li><li><a href="/lot/95?imp=aa20">Barometer</a></li></ul>`,
  footer: 'Buyers pay a premium of 24 % on the hammer price.',
});

const cafe = webPage({
  title: 'Carta | Bar La Noria',
  lang: 'es',
  main: `<h1>Carta</h1><p>Hoy es lunes. 1.204 personas siguen nuestra página.</p><ul><li>Tortilla de patatas, 6,50 €</li><li>Croquetas de jamón, 8,00 €</li><li>Pulpo a la gallega, 17,50 €</li></ul><p>La cocina cierra a las 23:00. Los martes no abrimos.</p>`,
  footer: 'Síguenos. Más de 3.000 fotos con la etiqueta del bar.',
});

export const servicePairs = [
  ...pairsOf({
    page: 'hotel',
    html: hotel,
    noise: {
      'views and last booking': [
        ['Consulté 28 fois', 'Consulté 9 fois'],
        ['il y a 17 minutes', 'il y a 2 heures'],
      ],
      'another guest': [
        ['« Un accueil adorable. » Hélène, Dijon', '« Vue superbe et lit parfait. » Marc, Namur'],
        ['© 2025', '© 2026'],
      ],
    },
    real: {
      'price of a room': [
        ['112 € la nuit', '118 € la nuit'],
        ['17 minutes', '3 minutes'],
      ],
      'cancellation terms': [["jusqu'à 48 heures", "jusqu'à 72 heures"]],
      'breakfast is extra': [['Le petit déjeuner est compris.', 'Le petit déjeuner est en supplément.']],
    },
  }),
  ...pairsOf({
    page: 'ferry',
    html: ferry,
    noise: {
      'clock, wind and countdown': [
        ['It is 09:12', 'It is 13:47'],
        ['14 knots, gusts of 22', '9 knots, gusts of 15'],
        ['in 2 h 28 min', 'in 2 h 33 min'],
        ['3 ferries under way. 87 people', '1 ferry under way. 41 people'],
        ['SK-77120-QX', 'SK-80011-BD'],
      ],
    },
    real: {
      'time of a departure': [
        ['16:20', '16:45'],
        ['17:35', '18:00'],
        ['It is 09:12', 'It is 09:40'],
      ],
    },
  }),
  ...pairsOf({
    page: 'auction',
    html: auction,
    noise: {
      'views and watchers': [['212 views · 19 watchers', '240 views · 21 watchers']],
      'other lots': [
        [
          '<li><a href="/lot/90?imp=aa19">Pair of brass candlesticks</a></li><li><a href="/lot/95?imp=aa20">Barometer</a></li>',
          '<li><a href="/lot/12?imp=bb01">Oak settle</a></li><li><a href="/lot/33?imp=bb02">Delft plate</a></li>',
        ],
      ],
    },
    real: {
      'day of the sale': [
        ['Thursday 19 March 2026, 10 am', 'Thursday 26 March 2026, 10 am'],
        ['212 views', '219 views'],
      ],
    },
  }),
  ...pairsOf({
    page: 'café',
    html: cafe,
    noise: {
      'day and followers': [
        ['Hoy es lunes. 1.204', 'Hoy es miércoles. 1.219'],
        ['3.000 fotos', '3.100 fotos'],
      ],
    },
    real: {
      'dish removed': [['<li>Pulpo a la gallega, 17,50 €</li>', '']],
      'closing day': [
        ['Los martes no abrimos.', 'Los lunes no abrimos.'],
        ['1.204', '1.208'],
      ],
    },
  }),
];
