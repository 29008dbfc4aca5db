// A French town's agenda: facts as lines of text with icons, a range of dates, prices in words.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    titre: 'Fête de la châtaigne',
    date: 'Samedi 24 octobre 2026',
    iso: '2026-10-24',
    heure: '14h30',
    lieu: 'Place du Marché',
    ville: 'Aubenas',
    prix: 'Gratuit',
    p: 0,
    org: 'Comité des fêtes',
    tel: '04 75 00 12 34',
    mail: 'fetes@aubenas.example',
  },
  {
    titre: 'Concert du quatuor Lumen',
    date: 'Vendredi 5 juin 2026',
    iso: '2026-06-05',
    heure: '20h00',
    lieu: 'Église Saint-Laurent',
    ville: 'Privas',
    prix: '15 €',
    p: 15,
    org: 'Les Amis de l’orgue',
    tel: '04 75 00 98 76',
    mail: 'contact@amis-orgue.example',
  },
];

export const agendaMunicipal = pagesOf({
  kind: 'event',
  name: 'agenda-municipal',
  items: ITEMS,
  url: ({ titre }) => `https://ardeche-agenda.example/evenements/${slug(titre)}`,
  schema: {
    type: 'object',
    properties: {
      nom: { type: 'string', description: "Nom de l'événement" },
      date: { type: 'string', format: 'date' },
      heure_debut: { type: 'string', description: 'Heure de début, par exemple 20h00' },
      lieu: { type: 'string' },
      ville: { type: 'string' },
      tarif: { type: 'number', description: 'Prix en euros, 0 si gratuit' },
      organisateur: { type: 'string' },
      telephone: { type: 'string' },
      courriel: { type: 'string' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="fr"><head><title>${item.titre} | Agenda de l'Ardèche</title></head><body><header><a href="/">Agenda de l'Ardèche</a></header><nav aria-label="Fil d'Ariane"><ol><li><a href="/">Accueil</a></li><li><a href="/evenements">Événements</a></li><li>${item.titre}</li></ol></nav>
<main><h1>${item.titre}</h1><ul class="infos-pratiques"><li><i class="fa fa-calendar"></i> ${item.date} à ${item.heure}</li><li><i class="fa fa-map-marker"></i> ${item.lieu}, ${item.ville}</li><li><i class="fa fa-euro"></i> Tarif : ${item.prix}</li><li><i class="fa fa-users"></i> Organisé par ${item.org}</li></ul>
<p>Venez nombreux partager un moment convivial avec les habitants, les artisans et les musiciens de la région, quel que soit le temps.</p><h2>Contact</h2><p>Tél. : <a href="tel:+33">${item.tel}</a><br>Courriel : <a href="mailto:${item.mail}">${item.mail}</a></p></main>
<footer>Office de tourisme, 1 rue des Bains, Vals – 04 75 11 11 11</footer></body></html>`,
  expected: (item) => ({
    nom: item.titre,
    date: item.iso,
    heure_debut: anyOf(item.heure, `${item.heure.replace('h', ':')}`, `${item.heure.replace('h', ':')}:00`),
    lieu: anyOf(item.lieu, `${item.lieu}, ${item.ville}`),
    ville: item.ville,
    tarif: item.p,
    organisateur: item.org,
    telephone: item.tel,
    courriel: item.mail,
  }),
});
