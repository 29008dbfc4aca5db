// Menus as restaurants publish them, each in markup of another kind, with what a careful reader finds on it.

/** Name, price, and the description where the page has one. Several prices have labels of their own. */
export type Dish = [name: string, price: number | Record<string, number>, description?: string];

export interface MenuPage {
  what: string;
  url: string;
  html: string;
  sections: [name: string, dishes: Dish[]][];
}

const page = (lang: string, title: string, body: string): string =>
  `<!doctype html><html lang="${lang}"><head><title>${title}</title></head><body>
  <header><nav><ul><li><a href="/">Home</a></li><li><a href="/menu">Menu</a></li><li><a href="/contact">Contact</a></li></ul></nav></header>
  <main>${body}</main><footer><p>Tel. 020 7946 0123 45 · 12 High Street, 90210</p></footer></body></html>`;

const leaders: MenuPage = {
  what: 'lines with dotted leaders, written by hand',
  url: 'https://oldmill.example/menu.html',
  html: page(
    'en',
    'Menu - The Old Mill',
    `<h1>Our Menu</h1><p>Open Tue-Sun 12.00 - 22.00<br>Kitchen closes 21.30</p>
    <h2>Starters</h2>
    <p>Tomato soup ........................ 6.50<br>
    Smoked mackerel p&acirc;t&eacute; (gf) ...... 7.95<br>
    Bread &amp; olives (v) ............... 4</p>
    <h2>Mains</h2>
    <p>Fish and chips ................. 15.50<br>with mushy peas and tartare sauce<br>
    Steak &amp; ale pie ................ 16<br>
    Mushroom risotto (v, gf) .......... 14.25<br>wild mushrooms, pecorino</p>`,
  ),
  sections: [
    [
      'Starters',
      [
        ['Tomato soup', 6.5],
        ['Smoked mackerel pâté (gf)', 7.95],
        ['Bread & olives (v)', 4],
      ],
    ],
    [
      'Mains',
      [
        ['Fish and chips', 15.5, 'with mushy peas and tartare sauce'],
        ['Steak & ale pie', 16],
        ['Mushroom risotto (v, gf)', 14.25, 'wild mushrooms, pecorino'],
      ],
    ],
  ],
};

const listItems: MenuPage = {
  what: '<li> with the price at the end, in German',
  url: 'https://adler.example/speisekarte',
  html: page(
    'de',
    'Speisekarte | Gasthaus Adler',
    `<h1>Speisekarte</h1><p>Öffnungszeiten: Mo-Fr 11.30-14.30 und 17.30-22.00, Sa 17.00-23.00</p>
    <h3>Vorspeisen</h3><ul><li>Flädlesuppe (A,C,G) 5,80</li><li>Feldsalat mit Speck und Kracherle 9,-</li><li>Tafelspitzsülze (L,M) 8,50</li></ul>
    <h3>Hauptgerichte</h3><ul><li>Wiener Schnitzel (A,C) mit Pommes 19,80</li><li>Zwiebelrostbraten 24,-</li>
    <li>Kässpätzle, vegetarisch (A,C,G) 13,90</li></ul>
    <h3>Getränke</h3><ul><li>Apfelsaftschorle 0,3 l 3,20 / 0,5 l 4,60</li><li>Radler 0,3 l 3,40 / 0,5 l 4,70</li><li>Espresso 2,60</li></ul>`,
  ),
  sections: [
    [
      'Vorspeisen',
      [
        ['Flädlesuppe (A,C,G)', 5.8],
        ['Feldsalat mit Speck und Kracherle', 9],
        ['Tafelspitzsülze (L,M)', 8.5],
      ],
    ],
    [
      'Hauptgerichte',
      [
        ['Wiener Schnitzel (A,C) mit Pommes', 19.8],
        ['Zwiebelrostbraten', 24],
        ['Kässpätzle, vegetarisch (A,C,G)', 13.9],
      ],
    ],
    [
      'Getränke',
      [
        ['Apfelsaftschorle', { '0,3 l': 3.2, '0,5 l': 4.6 }],
        ['Radler', { '0,3 l': 3.4, '0,5 l': 4.7 }],
        ['Espresso', 2.6],
      ],
    ],
  ],
};

const definitions: MenuPage = {
  what: 'a definition list in French',
  url: 'https://petit-zinc.example/la-carte/',
  html: page(
    'fr',
    'La carte – Le Petit Zinc',
    `<h1>La carte</h1><h2>Entrées</h2><dl>
    <dt>Soupe à l’oignon <span class="dots"></span><em>8</em></dt><dd>gratinée au comté</dd>
    <dt>Œufs mayonnaise <em>6</em></dt><dd>salade de saison</dd>
    <dt>Terrine maison <em>9</em></dt><dd>cornichons, pain de campagne</dd></dl>
    <h2>Plats</h2><dl>
    <dt>Confit de canard <em>19</em></dt><dd>pommes sarladaises</dd>
    <dt>Pavé de saumon <em>21</em></dt><dd>beurre blanc, riz</dd></dl>
    <p>Prix nets en euros, service compris. Ouvert de 12h à 14h30.</p>`,
  ),
  sections: [
    [
      'Entrées',
      [
        ['Soupe à l’oignon', 8, 'gratinée au comté'],
        ['Œufs mayonnaise', 6, 'salade de saison'],
        ['Terrine maison', 9, 'cornichons, pain de campagne'],
      ],
    ],
    [
      'Plats',
      [
        ['Confit de canard', 19, 'pommes sarladaises'],
        ['Pavé de saumon', 21, 'beurre blanc, riz'],
      ],
    ],
  ],
};

const bold: MenuPage = {
  what: 'bold names with text and price, as WordPress writes paragraphs, in Spanish',
  url: 'https://casapepa.example/carta',
  html: page(
    'es',
    'Carta - Casa Pepa',
    `<div class="entry-content"><h1>Carta</h1>
    <p><strong>ENTRANTES</strong></p>
    <p><strong>Croquetas de jamón</strong><br>Seis unidades, receta de la abuela<br>9,50</p>
    <p><strong>Ensaladilla rusa</strong><br>Con ventresca de atún<br>8,00</p>
    <p><strong>Pan con tomate</strong><br>3,50</p>
    <p><strong>PLATOS</strong></p>
    <p><strong>Arroz negro</strong><br>Con alioli, mínimo dos personas<br>17,00</p>
    <p><strong>Rabo de toro</strong><br>Guisado al vino tinto<br>18,50</p>
    <p><strong>POSTRES</strong></p>
    <p><strong>Crema catalana</strong><br>5,50</p><p><strong>Flan casero</strong><br>4,90</p>
    <p>Reservas: 91 555 01 23. Abierto de 13.00 a 16.00</p></div>`,
  ),
  sections: [
    [
      'ENTRANTES',
      [
        ['Croquetas de jamón', 9.5, 'Seis unidades, receta de la abuela'],
        ['Ensaladilla rusa', 8, 'Con ventresca de atún'],
        ['Pan con tomate', 3.5],
      ],
    ],
    [
      'PLATOS',
      [
        ['Arroz negro', 17, 'Con alioli, mínimo dos personas'],
        ['Rabo de toro', 18.5, 'Guisado al vino tinto'],
      ],
    ],
    [
      'POSTRES',
      [
        ['Crema catalana', 5.5],
        ['Flan casero', 4.9],
      ],
    ],
  ],
};

const table: MenuPage = {
  what: 'tables of two columns, in Italian',
  url: 'https://trattoriadaugo.example/menu',
  html: page(
    'it',
    'Menù | Trattoria da Ugo',
    `<h1>Il nostro menù</h1><h2>Antipasti</h2><table><tbody>
    <tr><td>Bruschetta al pomodoro</td><td>5</td></tr><tr><td>Prosciutto e melone</td><td>9</td></tr><tr><td>Caprese</td><td>8</td></tr></tbody></table>
    <h2>Primi</h2><table><tbody>
    <tr><td><b>Cacio e pepe</b><br>tonnarelli freschi</td><td>11</td></tr><tr><td><b>Amatriciana</b><br>guanciale, pecorino romano</td><td>12</td></tr></tbody></table>
    <h2>Vini</h2><table><thead><tr><th></th><th>Calice</th><th>Bottiglia</th></tr></thead><tbody>
    <tr><td>Chianti Classico 2021</td><td>6</td><td>28</td></tr><tr><td>Frascati</td><td>5</td><td>22</td></tr></tbody></table>`,
  ),
  sections: [
    [
      'Antipasti',
      [
        ['Bruschetta al pomodoro', 5],
        ['Prosciutto e melone', 9],
        ['Caprese', 8],
      ],
    ],
    [
      'Primi',
      [
        ['Cacio e pepe', 11, 'tonnarelli freschi'],
        ['Amatriciana', 12, 'guanciale, pecorino romano'],
      ],
    ],
    [
      'Vini',
      [
        ['Chianti Classico 2021', { Calice: 6, Bottiglia: 28 }],
        ['Frascati', { Calice: 5, Bottiglia: 22 }],
      ],
    ],
  ],
};

const blocks: MenuPage = {
  what: 'nested blocks of a site builder',
  url: 'https://fernandash.example/food',
  html: page(
    'en-US',
    'Dinner Menu — Fern & Ash',
    `<div class="menu-block"><div class="menu-section"><div class="menu-section-title">Small Plates</div><div class="menu-items">
    <div class="menu-item"><div class="menu-item-title">Charred Carrots</div><div class="menu-item-description">labneh, dukkah, honey</div><div class="menu-item-price-top"><span class="currency-sign">$</span>14</div></div>
    <div class="menu-item"><div class="menu-item-title">Beef Tartare</div><div class="menu-item-description">egg yolk, rye crisp</div><div class="menu-item-price-top"><span class="currency-sign">$</span>19</div></div>
    <div class="menu-item"><div class="menu-item-title">Bread Service</div><div class="menu-item-price-top"><span class="currency-sign">$</span>8</div></div></div></div>
    <div class="menu-section"><div class="menu-section-title">Sweets</div><div class="menu-items">
    <div class="menu-item"><div class="menu-item-title">Olive Oil Cake</div><div class="menu-item-description">citrus, whipped ricotta</div><div class="menu-item-price-top"><span class="currency-sign">$</span>11</div></div></div></div></div>
    <h1>Dinner Menu</h1>`,
  ),
  sections: [
    [
      'Small Plates',
      [
        ['Charred Carrots', 14, 'labneh, dukkah, honey'],
        ['Beef Tartare', 19, 'egg yolk, rye crisp'],
        ['Bread Service', 8],
      ],
    ],
    ['Sweets', [['Olive Oil Cake', 11, 'citrus, whipped ricotta']]],
  ],
};

const headings: MenuPage = {
  what: 'names as headings, the price in a line of its own',
  url: 'https://roost.example/drinks-menu',
  html: page(
    'en-GB',
    'Drinks menu | The Roost',
    `<h1>Drinks menu</h1><h2>Cocktails</h2>
    <h4>Negroni</h4><p>gin, vermouth, Campari</p><p>£9.5</p>
    <h4>Espresso Martini</h4><p>vodka, coffee liqueur, fresh espresso</p><p>£10</p>
    <h4>Garden Spritz</h4><p>elderflower, cucumber, prosecco (vg)</p><p>£9</p>
    <h2>Beers</h2><h4>Pale Ale</h4><p>half 3.20 | pint 6.00</p><h4>Stout</h4><p>half 3.40 | pint 6.40</p>`,
  ),
  sections: [
    [
      'Cocktails',
      [
        ['Negroni', 9.5, 'gin, vermouth, Campari'],
        ['Espresso Martini', 10, 'vodka, coffee liqueur, fresh espresso'],
        ['Garden Spritz', 9, 'elderflower, cucumber, prosecco (vg)'],
      ],
    ],
    [
      'Beers',
      [
        ['Pale Ale', { half: 3.2, pint: 6 }],
        ['Stout', { half: 3.4, pint: 6.4 }],
      ],
    ],
  ],
};

const printed: MenuPage = {
  what: 'the HTML of a PDF that was read as Markdown',
  url: 'https://zurpost.example/files/karte.pdf',
  html: `<h1>Zur Post – Abendkarte</h1><p>SUPPEN</p><p>Rinderkraftbrühe mit Flädle 6,50 €\nKürbiscremesuppe (vegan) 7,20 €</p>
    <p>AUS DER PFANNE</p><p>Rumpsteak 220 g 26,90 €\nmit Kräuterbutter und Röstkartoffeln\nSchweinelendchen 18,40 €\nin Pfefferrahm, dazu Spätzle</p>
    <p>Warme Küche von 17.30 bis 21.30 Uhr · Telefon 07121 / 99 88 10</p>`,
  sections: [
    [
      'SUPPEN',
      [
        ['Rinderkraftbrühe mit Flädle', 6.5],
        ['Kürbiscremesuppe (vegan)', 7.2],
      ],
    ],
    [
      'AUS DER PFANNE',
      [
        ['Rumpsteak 220 g', 26.9, 'mit Kräuterbutter und Röstkartoffeln'],
        ['Schweinelendchen', 18.4, 'in Pfefferrahm, dazu Spätzle'],
      ],
    ],
  ],
};

const nested: MenuPage = {
  what: 'spans in spans, with numbers, codes of allergens and two sizes',
  url: 'https://dagino.example/speisekarte.html',
  html: page(
    'de',
    'Speisekarte | Da Gino',
    `<h2>Unsere Karte</h2><p>Preise klein / groß, gültig ab 01.03.2025.</p><div class="group"><h3>Pizza</h3>
    <div class="row"><span class="name">01 Margherita<span class="alg">A,G &middot; 1</span></span><span class="price">5,70 / 7,00 €</span></div>
    <div class="row"><span class="name">02 Funghi<span class="desc">frische Champignons</span><span class="alg">A,G &middot; 2,17</span></span><span class="price">6,50 / 7,90 €</span></div>
    <div class="row"><span class="name">03 Familienblech<span class="desc">40 &times; 60 cm</span></span><span class="price">ab 24,50 €</span></div></div>
    <div class="group"><h3>Salate</h3><div class="row"><span class="name">50 Insalata mista</span><span class="price">6,90 €</span></div></div>`,
  ),
  sections: [
    [
      'Pizza',
      [
        ['01 Margherita A,G · 1', { '5,70': 5.7, '7,00 €': 7 }],
        ['02 Funghi', { '6,50': 6.5, '7,90 €': 7.9 }, 'frische Champignons A,G · 2,17'],
        ['03 Familienblech', 24.5, '40 × 60 cm'],
      ],
    ],
    ['Salate', [['50 Insalata mista', 6.9]]],
  ],
};

const sizes: MenuPage = {
  what: 'sizes in lists below the drinks, and a word before every price',
  url: 'https://hafenbar.example/getraenkekarte',
  html: page(
    'de',
    'Getränkekarte – Hafenbar',
    `<h1>Getränke</h1><h2>Bier</h2><ul><li>Helles vom Fass<ul><li>0,3 l für 3,10€</li><li>0,5 l für 4,20€</li></ul></li>
    <li>Weizen <em>naturtrüb</em><ul><li>0,5 l für 4,40€</li></ul></li></ul>
    <h2>Kaffee</h2><ul><li>Espresso für 2,20€</li><li>Cappuccino für 3,00€</li></ul>`,
  ),
  sections: [
    [
      'Bier',
      [
        ['Helles vom Fass', { '0,3 l': 3.1, '0,5 l': 4.2 }],
        ['Weizen naturtrüb', 4.4],
      ],
    ],
    [
      'Kaffee',
      [
        ['Espresso', 2.2],
        ['Cappuccino', 3],
      ],
    ],
  ],
};

const outside: MenuPage = {
  what: 'descriptions beside the element of the dish, prices with a label',
  url: 'https://sunnyside.example/breakfast',
  html: page(
    'en',
    'Breakfast menu, Sunnyside',
    `<div class="menu"><h2>Breakfast</h2>
    <div class="item"><span class="n">Classic Pancakes</span> <span class="p">$8.50</span></div><p class="d">maple syrup and butter</p>
    <div class="item"><span class="n">Avocado Toast</span> <span class="p">$10</span></div><p class="d">whole-grain bread, egg</p>
    <div class="item"><span class="n">Oatmeal</span> <span class="p">$6</span></div><p class="d">berries or nuts</p></div>
    <div class="menu"><h2>Extras</h2><p><b>Bacon</b> – two slices<br><i>Price: $2.50</i></p><p><b>Egg</b> – any style<br><i>Price: $1.50</i></p>
    <p><b>Toast</b> – rye or white<br><i>Price: $1.75</i></p><p><b>Beans</b><br><i>Price: $2</i></p></div>`,
  ),
  sections: [
    [
      'Breakfast',
      [
        ['Classic Pancakes', 8.5, 'maple syrup and butter'],
        ['Avocado Toast', 10, 'whole-grain bread, egg'],
        ['Oatmeal', 6, 'berries or nuts'],
      ],
    ],
    [
      'Extras',
      [
        ['Bacon', 2.5, 'two slices'],
        ['Egg', 1.5, 'any style'],
        ['Toast', 1.75, 'rye or white'],
        ['Beans', 2],
      ],
    ],
  ],
};

export const menuPages: readonly MenuPage[] = [
  ...[leaders, listItems, definitions, bold, table, blocks],
  ...[headings, printed, nested, sizes, outside],
];
