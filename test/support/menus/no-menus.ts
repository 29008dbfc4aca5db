// Pages that look like menus in one way or another, and are none.
const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main>${body}</main></body></html>`;

export const noMenus: Readonly<Record<string, { url: string; html: string }>> = {
  'the price list of a car wash': {
    url: 'https://shinywash.example/services-menu',
    html: page(
      'Service Menu | Shiny Wash',
      `<h1>Service Menu</h1><h2>Exterior</h2><ul><li>Basic wash ..... $12</li><li>Foam wash ..... $16</li><li>Wax ..... $22</li></ul>
      <h2>Interior</h2><ul><li>Vacuum ..... $10</li><li>Full detail ..... $149</li></ul>`,
    ),
  },
  'the price list of a hairdresser': {
    url: 'https://schnitt.example/preise',
    html: page(
      'Preise – Salon Schnitt',
      `<h1>Preise</h1><h2>Damen</h2><table><tr><td>Waschen, schneiden</td><td>45,00</td></tr><tr><td>Farbe</td><td>62,00</td></tr>
      <tr><td>Strähnen</td><td>80,00</td></tr></table>`,
    ),
  },
  'a post that names a dish and what it cost': {
    url: 'https://travels.example/blog/lunch-in-lyon',
    html: page(
      'Lunch in Lyon - a menu to remember',
      `<article><h1>Lunch in Lyon: a menu to remember</h1><p>We ordered the quenelles, which were 18.50</p>
      <p>The wine came in a pot of 46 cl and was 9.00</p><p>I would go back for the soup alone, and it took us 2 hours</p></article>`,
    ),
  },
  'opening hours and telephone numbers': {
    url: 'https://oldmill.example/menu/contact',
    html: page(
      'Menu & contact - The Old Mill',
      `<h1>Contact</h1><h2>Lunch</h2><p>Mon 11.30-14.30<br>Tue 11.30 - 14.30<br>Wed 12.00 to 15.00</p><h2>Dinner</h2>
      <p>Fri 17.30–22.00<br>Sat 17.30–23.30</p><p>Tel. 01234 567 89<br>Fax 01234 567 90<br>Mobile +44 7700 900 12</p>`,
    ),
  },
  'the contents of a cookery book': {
    url: 'https://books.example/pasta-at-home',
    html: page(
      'Pasta at home',
      `<h1>Pasta at home</h1><h2>Contents</h2><p>Soups ........ 4<br>Salads ........ 21<br>Pasta ........ 38<br>Desserts ........ 90</p>`,
    ),
  },
};
