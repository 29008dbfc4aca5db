// The open half of the labelled corpus: pages to look at while the extractor is written.
import { bareByline } from './articles/bare-byline.ts';
import { blogEnEspanol } from './articles/blog-en-espanol.ts';
import { forumThread } from './articles/forum-thread.ts';
import { giornaleLocale } from './articles/giornale-locale.ts';
import { krantArtikel } from './articles/krant-artikel.ts';
import { mediumLike } from './articles/medium-like.ts';
import { metaOnlyMagazin } from './articles/meta-only-magazin.ts';
import { newspaperGraph } from './articles/newspaper-graph.ts';
import { newsroomDivByline } from './articles/newsroom-div-byline.ts';
import { agendaMunicipal } from './events/agenda-municipal.ts';
import { concertJsonLd } from './events/concert-json-ld.ts';
import { gigPoster } from './events/gig-poster.ts';
import { hCalendar } from './events/hcalendar.ts';
import { ticketPage } from './events/ticket-page.ts';
import { tribeCalendar } from './events/tribe-calendar.ts';
import { vereinTermin } from './events/verein-termin.ts';
import { amtlicheTabelle } from './listings/amtliche-tabelle.ts';
import { annoncesVoitures } from './listings/annonces-voitures.ts';
import { cardGrid } from './listings/card-grid.ts';
import { eventCalendarList } from './listings/event-calendar-list.ts';
import { homesItemList } from './listings/homes-item-list.ts';
import { hotelResults } from './listings/hotel-results.ts';
import { immobilienKarten } from './listings/immobilien-karten.ts';
import { jobBoardCards } from './listings/job-board-cards.ts';
import { pressReleases } from './listings/press-releases.ts';
import { searchPlain } from './listings/search-plain.ts';
import { stellenTabelle } from './listings/stellen-tabelle.ts';
import { foodBlogJsonLd } from './recipes/food-blog-json-ld.ts';
import { omaTabelle } from './recipes/oma-tabelle.ts';
import { recetteMicrodata } from './recipes/recette-microdata.ts';
import { ricettaBlog } from './recipes/ricetta-blog.ts';
import { villageCookbook } from './recipes/village-cookbook.ts';
import { wprmCard } from './recipes/wprm-card.ts';
import { boutiqueMicrodata } from './shops/boutique-microdata.ts';
import { graphShop } from './shops/graph-shop.ts';
import { kaputtesJsonShop } from './shops/kaputtes-json-shop.ts';
import { kleinanzeigeAuto } from './shops/kleinanzeige-auto.ts';
import { libreriaFicha } from './shops/libreria-ficha.ts';
import { liquidTheme } from './shops/liquid-theme.ts';
import { nihonNextShop } from './shops/nihon-next-shop.ts';
import { partsCatalogue } from './shops/parts-catalogue.ts';
import { potteryProse } from './shops/pottery-prose.ts';
import { specTableStore } from './shops/spec-table-store.ts';
import { utilityClassStore } from './shops/utility-class-store.ts';
import { wooBlockShop } from './shops/woo-block-shop.ts';

export const openPages = [
  ...[
    boutiqueMicrodata,
    graphShop,
    kaputtesJsonShop,
    kleinanzeigeAuto,
    libreriaFicha,
    liquidTheme,
    nihonNextShop,
    partsCatalogue,
    potteryProse,
    specTableStore,
    utilityClassStore,
    wooBlockShop,
  ],
  ...[
    bareByline,
    blogEnEspanol,
    forumThread,
    giornaleLocale,
    krantArtikel,
    mediumLike,
    metaOnlyMagazin,
    newspaperGraph,
    newsroomDivByline,
  ],
  ...[agendaMunicipal, concertJsonLd, gigPoster, hCalendar, ticketPage, tribeCalendar, vereinTermin],
  ...[foodBlogJsonLd, omaTabelle, recetteMicrodata, ricettaBlog, villageCookbook, wprmCard],
  ...[
    amtlicheTabelle,
    annoncesVoitures,
    cardGrid,
    eventCalendarList,
    homesItemList,
    hotelResults,
    immobilienKarten,
    jobBoardCards,
    pressReleases,
    searchPlain,
    stellenTabelle,
  ],
].flat();
