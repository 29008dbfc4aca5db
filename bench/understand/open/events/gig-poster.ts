// A club's gig page: bare classes, US-style dates, a "sold out" badge, a list of other nights below.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    act: 'The Paper Kites Club',
    support: 'Mossy Grey',
    day: 'Sat',
    date: '03/14/2026',
    iso: '2026-03-14',
    doors: '7:00 PM',
    show: '8:00 PM',
    price: '$25',
    age: '18+',
    out: false,
  },
  {
    act: 'Velvet Antlers',
    support: 'Nina Low',
    day: 'Fri',
    date: '04/03/2026',
    iso: '2026-04-03',
    doors: '8:00 PM',
    show: '9:00 PM',
    price: '$18',
    age: '21+',
    out: true,
  },
  {
    act: 'DJ Solstice All Night',
    support: 'TBA',
    day: 'Sun',
    date: '06/21/2026',
    iso: '2026-06-21',
    doors: '9:30 PM',
    show: '10:00 PM',
    price: '$12.50',
    age: '21+',
    out: false,
  },
  {
    act: 'Hollow Coves Revisited',
    support: 'June Carter Ash',
    day: 'Thu',
    date: '05/07/2026',
    iso: '2026-05-07',
    doors: '6:30 PM',
    show: '7:30 PM',
    price: '$32',
    age: 'All ages',
    out: false,
  },
  {
    act: 'Brass Monkeys',
    support: 'Tin Roof',
    day: 'Wed',
    date: '02/11/2026',
    iso: '2026-02-11',
    doors: '7:30 PM',
    show: '8:30 PM',
    price: '$20',
    age: '18+',
    out: true,
  },
];

export const gigPoster = pagesOf({
  kind: 'event',
  name: 'gig-poster',
  items: ITEMS,
  url: ({ act, iso }) => `https://theorpheum-room.example/shows/${iso}-${slug(act)}`,
  schema: {
    type: 'object',
    properties: {
      headliner: { type: 'string', description: 'The main act' },
      support: { type: 'string', description: 'Supporting act' },
      date: { type: 'string', format: 'date' },
      doors: { type: 'string' },
      show: { type: 'string', description: 'When the show starts' },
      price: { type: 'number' },
      ages: { type: 'string', description: 'Age restriction' },
      soldOut: { type: 'boolean' },
    },
    required: ['headliner', 'date'],
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en-US"><head><title>${item.act} at The Orpheum Room</title></head><body><div class="menu"><a href="/shows">Shows</a><a href="/venue">Venue</a><a href="/rent">Rent us</a></div>
<div class="show"><div class="show-date"><span>${item.day}</span> <span>${item.date}</span></div><h1 class="headliner">${item.act}</h1><h3 class="support-acts">with ${item.support}</h3>${item.out ? '<span class="badge">SOLD OUT</span>' : '<a class="buy" href="#buy">Buy tickets</a>'}
<div class="times"><span class="doors">Doors ${item.doors}</span> <span class="start">Show ${item.show}</span></div><div class="cost">Tickets: <span class="amount">${item.price}</span> adv.</div><div class="ages">Ages: ${item.age}</div>
<div class="bio"><p>They met in a garage, as bands do, and have been on the road ever since. Their third record was made in nine days in a cabin without a phone line. Live, the songs are longer, louder and slower.</p></div></div>
<div class="also"><h4>Coming up</h4><div class="row">Tue 03/31/2026 <a href="#">Open mic</a> free</div><div class="row">Sat 08/01/2026 <a href="#">Summer party</a> $10 SOLD OUT</div></div><p>The Orpheum Room, 410 Vine St, Des Moines, IA</p></body></html>`,
  expected: (item) => ({
    headliner: item.act,
    support: item.support,
    date: item.iso,
    doors: item.doors,
    show: item.show,
    price: Number(item.price.slice(1)),
    ages: item.age,
    soldOut: item.out ? true : anyOf(false, null),
  }),
});
