// Hotels as microdata items in a list, with prices and distances outside of the vocabulary.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const hotel = (name: string, stars: number, score: string, night: string, distance: string) => ({
  name,
  stars,
  score,
  night,
  distance,
});
const ITEMS = [
  {
    city: 'Ghent',
    hotels: [
      hotel('Hotel Gravenhof', 4, '8.7', '€ 142', '0.3 km'),
      hotel('The Weaver’s Inn', 3, '9.1', '€ 118', '0.9 km'),
      hotel('Dockside Rooms', 2, '7.4', '€ 79', '2.1 km'),
    ],
  },
  {
    city: 'Girona',
    hotels: [hotel('Casa del Pont', 4, '9.4', '€ 165', '0.1 km'), hotel('Pensió Nord', 1, '7.9', '€ 58', '1.2 km')],
  },
  {
    city: 'Bergen',
    hotels: [
      hotel('Fjordblikk', 5, '9.0', '€ 1,240', '0.4 km'),
      hotel('Bryggen Loft', 3, '8.2', '€ 189', '0.2 km'),
      hotel('Hostel Fløyen', 2, '8.0', '€ 64', '1.8 km'),
      hotel('Sandviken Hotel', 4, '8.5', '€ 210', '2.0 km'),
    ],
  },
  {
    city: 'Olomouc',
    hotels: [hotel('U Fontány', 3, '8.8', '€ 72', '0.2 km'), hotel('Hotel Morava', 4, '8.3', '€ 96', '0.7 km')],
  },
  {
    city: 'Lecce',
    hotels: [
      hotel('Palazzo Barocco', 5, '9.6', '€ 288', '0.1 km'),
      hotel('B&B Sole', 2, '8.9', '€ 68', '0.8 km'),
      hotel('Masseria Ulivi', 4, '9.2', '€ 175', '5.5 km'),
    ],
  },
];

export const hotelsMicrodata = pagesOf({
  kind: 'listing',
  name: 'hotels-microdata',
  items: ITEMS,
  url: ({ city }) => `https://staywell.example/hotels/${slug(city)}`,
  schema: {
    type: 'object',
    properties: {
      hotels: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            hotel_name: { type: 'string' },
            stars: { type: 'integer' },
            review_score: { type: 'number' },
            price_per_night: { type: 'number' },
            distance_to_centre: { type: 'string' },
          },
          required: ['hotel_name'],
        },
      },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en"><head><title>Hotels in ${item.city}</title></head><body><nav><a href="/">StayWell</a><a href="/flights">Flights</a></nav><h1>${item.hotels.length} hotels in ${item.city}</h1>
<div class="results">${each(
    item.hotels,
    (one) =>
      `<div class="result" itemscope itemtype="https://schema.org/Hotel"><h2><a itemprop="url" href="/hotel/${slug(one.name)}"><span itemprop="name">${one.name.replace('&', '&amp;')}</span></a></h2><span itemprop="starRating" itemscope itemtype="https://schema.org/Rating"><meta itemprop="ratingValue" content="${one.stars}">${'★'.repeat(one.stars)}</span><div class="score" itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating"><b itemprop="ratingValue">${one.score}</b> from <span itemprop="reviewCount">120</span> reviews</div><p class="distance">${one.distance} from the centre</p><p class="night"><small>per night</small> <b>${one.night}</b></p></div>`,
  )}</div><p>Prices are for two adults and include taxes.</p><h3>Popular cities</h3><ul><li><a href="/1">Paris</a></li><li><a href="/2">Rome</a></li><li><a href="/3">Vienna</a></li></ul></body></html>`,
  expected: (item) => ({
    hotels: item.hotels.map((one) => ({
      hotel_name: one.name,
      stars: one.stars,
      review_score: Number(one.score),
      price_per_night: Number(one.night.replace(/[€, ]/g, '')),
      distance_to_centre: one.distance,
    })),
  }),
});
